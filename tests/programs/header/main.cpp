void of_doubles(int width);
void of_ints(int width);

int main() {
    of_ints(1);
    of_doubles(1);
}
