DROP TABLE unfinished_sign_in;
