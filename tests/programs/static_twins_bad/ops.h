int width_of_rows();
