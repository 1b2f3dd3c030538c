import '/assets/shell.js';
