window.classic = "a script of the other host";
