void adjust(int &n);
