int next();
