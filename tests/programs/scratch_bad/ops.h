int *scratch(int bytes);
