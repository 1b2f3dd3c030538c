#ifndef SERIELLE_H
#define SERIELLE_H
void serielle_init(void);
void serielle_putchar(unsigned char c);
void serielle_puts(char *s);
unsigned char serielle_getchar(void);
unsigned char serielle_gets(char *s, unsigned char max);
#endif
