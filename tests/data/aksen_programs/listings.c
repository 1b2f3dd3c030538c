/* What the listings of the board's handbook show, one behaviour for each position of the DIP switches. */
#include <can.h>
#include <stub.h>

struct CAN_MSG message;
unsigned char blinker;

void say_hello(void) { lcd_puts("Hello"); for (;;); }

void show_input(void) { for (;;) { lcd_setxy(0, 0); lcd_ubyte(digital_in(0)); } }

void toggle_output(void) { for (;;) { digital_out(0, 1); digital_out(0, 0); } }

void show_analog(void) { for (;;) { lcd_setxy(0, 0); lcd_ubyte(analog(0)); } }

void run_light(void)
{
    char n, step = 1;

    for (n = 0;; n += step) {
        led(n, 1);
        sleep(200);
        led(n, 0);
        if (n == 3) step = -1;
        if (n == 0) step = 1;
    }
}

void switch_carrier(void)
{
    for (;;) {
        mod_ir_an();
        lcd_setxy(0, 0); lcd_puts("on "); lcd_setxy(1, 0); lcd_puts("on ");
        sleep(2000);
        mod_ir_aus();
        lcd_setxy(0, 0); lcd_puts("off"); lcd_setxy(1, 0); lcd_puts("off");
        sleep(2000);
    }
}

void send_in_background(void)
{
    unsigned long loops = 0;

    setze_ir_senden(4);
    for (;;) { lcd_setxy(0, 0); lcd_ulong(++loops); }
}

void receive_light(void)
{
    mod_ir0_takt(4);
    mod_ir0_maxfehler(3);
    for (;;) { lcd_cls(); lcd_ubyte(mod_ir0_status()); sleep(200); }
}

void run_motors(void)
{
    unsigned char direction, motor;
    char speed;

    for (direction = 0; direction < 2; direction++)
        for (motor = 0; motor < 4; motor++) {
            motor_richtung(motor, direction);
            for (speed = 0; speed <= 10; speed++) { motor_pwm(motor, speed); sleep(200); }
            for (speed = 9; speed >= 0; speed--) { motor_pwm(motor, speed); sleep(200); }
        }
    for (;;);
}

void step_motor(void)
{
    unsigned char state = 0;

    for (;; state = (state + 1) & 3) {
        motor_richtung(0, state == 0 || state == 3);
        motor_richtung(1, state < 2);
        motor_pwm(0, 10);
        motor_pwm(1, 10);
        sleep(2);
        motor_pwm(0, 0);
        motor_pwm(1, 0);
    }
}

void sweep_servos(void)
{
    char angle;
    unsigned char servo_number;

    for (;;) {
        for (angle = 0; angle <= 90; angle++) {
            for (servo_number = 0; servo_number < 3; servo_number++) servo_arc(servo_number, angle);
            sleep(5);
        }
        for (angle = 90; angle >= 0; angle--) {
            for (servo_number = 0; servo_number < 3; servo_number++) servo_arc(servo_number, angle);
            sleep(5);
        }
    }
}

void count_edges(void)
{
    encoder0();
    for (;;) { sleep(1000); lcd_cls(); lcd_uint(encoder0()); }
}

void show_can(void)
{
    unsigned char i;

    CanInit();
    for (;;) {
        if (CanEmpfang(&message) == TRUE) {
            lcd_cls();
            lcd_hbyte(message.Puffer[0]);
            lcd_setxy(1, 0);
            for (i = 0; i < 4; i++) lcd_hbyte(message.ID[i]);
        }
    }
}

void change_texts(void)
{
    lcd_cls();
    lcd_puts("Title");
    for (;;) {
        lcd_setxy(1, 0); lcd_puts("first "); sleep(1000);
        lcd_setxy(1, 0); lcd_puts("second"); sleep(1000);
    }
}

void talk(void)
{
    serielle_init();
    serielle_puts("Press a key\n");
    sleep(2000);
    lcd_putchar(serielle_getchar());
    for (;;);
}

void blink_light(void) { for (;;) { led(0, 1); sleep(500); led(0, 0); sleep(500); } }
void blink_infrared(void) { for (;;) { mod_ir_an(); sleep(10); mod_ir_aus(); sleep(10); } }

void watch_processes(void)
{
    unsigned char i, counter = 0;

    for (;;) {
        lcd_setxy(0, 0);
        for (i = 0; i < 4; i++) { lcd_ubyte(proz_tab.proz_liste[i]); lcd_putchar(' '); }
        lcd_setxy(1, 0);
        lcd_ubyte(proz_tab.anz_proz);
        counter++;
        if (counter == 128) blinker = process_start(blink_infrared, 150);
        if (counter == 255) process_kill(blinker);
        sleep(5);
    }
}

void start_and_go(void)
{
    process_start(blink_light, 150);
    process_start(watch_processes, 150);
    process_kill(process_get_pid());
}

void (*const listings[16])(void) = {
    say_hello, show_input, toggle_output, show_analog, run_light, switch_carrier,
    send_in_background, receive_light, run_motors, step_motor, sweep_servos, count_edges,
    show_can, change_texts, talk, start_and_go,
};

void AksenMain(void) { listings[dip()](); }
