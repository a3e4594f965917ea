/* What tools print of cards: real outputs in tests/cards, and the forms in which people paste
 * them. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "config/card_text.h"
#include "config/document.h"
#include "support/message_text.h"
#include "support/roll_cache.h"

static void assert_card(const struct card *card, const char *name, const uint64_t *expected)
{
    assert_string_equal(card->name, name);
    for (; expected[0] != CARD_FACTS; expected += 2)
        if (card->facts[expected[0]] != expected[1])
            fail_msg("%s: %s is %" PRIu64, name, card_fact_name(expected[0]),
                     card->facts[expected[0]]);
}

static struct card_list read_file(const char *path)
{
    struct card_list list;
    char *text;
    size_t size;
    assert_int_equal(file_read(path, &text, &size, NULL), STATUS_OK);
    assert_int_equal(card_text_read(text, size, path, &list, NULL), STATUS_OK);
    free(text);
    return list;
}

static struct card_list read_text(const char *text)
{
    struct card_list list;
    assert_int_equal(card_text_read(text, strlen(text), "text", &list, NULL), STATUS_OK);
    return list;
}

#define FACTS(...) ((const uint64_t[]){__VA_ARGS__, CARD_FACTS})
#define MHZ        UINT64_C(1000000)

static void test_real_outputs(void **state)
{
    (void)state;
    struct card_list list = read_file("tests/cards/devicequery_m60.txt");
    assert_int_equal(list.count, 1);
    assert_card(&list.items[0], "Tesla M60",
                FACTS(CARD_CAPABILITY, 52, CARD_SMS, 16, CARD_CLOCK, 1178 * MHZ, CARD_MEMORY_CLOCK,
                      2505 * MHZ, CARD_BUS, 256, CARD_L2, 2097152, CARD_MEMORY, 7988903936,
                      CARD_THREADS, 2048, CARD_SHARED, 0, CARD_REGISTERS, 0));
    assert_string_equal(list.items[0].from[CARD_SMS], "deviceQuery");
    card_list_free(&list);
    list = read_file("tests/cards/devicequery_rtx5090.txt");
    assert_card(&list.items[0], "NVIDIA GeForce RTX 5090",
                FACTS(CARD_CAPABILITY, 120, CARD_SMS, 170, CARD_BUS, 512, CARD_SHARED, 102400));
    card_list_free(&list);
    list = read_file("tests/cards/nvidia_smi_q_a6000.txt");
    assert_card(&list.items[0], "NVIDIA RTX A6000",
                FACTS(CARD_MEMORY, UINT64_C(49140) << 20, CARD_MAX_CLOCK, 2100 * MHZ,
                      CARD_MEMORY_CLOCK, 8001 * MHZ, CARD_CLOCK, 1800 * MHZ, CARD_SMS, 0));
    card_list_free(&list);
    /* Its cache is the L1s, its local memory that of a block. */
    list = read_file("tests/cards/clinfo_rtx3090.txt");
    assert_card(&list.items[0], "NVIDIA GeForce RTX 3090",
                FACTS(CARD_SMS, 82, CARD_CLOCK, 1695 * MHZ, CARD_CAPABILITY, 86, CARD_L2, 0,
                      CARD_SHARED, 0, CARD_MEMORY, 25422266368));
    assert_string_equal(list.items[0].from[CARD_SMS], "clinfo");
    card_list_free(&list);
}

static void test_one_card_in_three_forms(void **state)
{
    (void)state;
    static const char *const paths[] = {"tests/cards/nvidia_smi_q_h100.txt",
                                        "tests/cards/nvidia_smi_csv_h100.txt",
                                        "tests/cards/nvidia_smi_h100.txt"};
    for (size_t i = 0; i < 3; i++) {
        struct card_list list = read_file(paths[i]);
        assert_int_equal(list.count, 1);
        assert_card(&list.items[0], "NVIDIA H100 80GB HBM3",
                    FACTS(CARD_MEMORY, UINT64_C(81559) << 20));
        if (i < 2)
            assert_card(&list.items[0], "NVIDIA H100 80GB HBM3",
                        FACTS(CARD_MAX_CLOCK, 1980 * MHZ, CARD_MEMORY_CLOCK, 2619 * MHZ, CARD_CLOCK,
                              i ? 0 : 1980 * MHZ));
        card_list_free(&list);
    }
}

static void test_several_cards(void **state)
{
    (void)state;
    struct card_list list = read_file("tests/cards/devicequery_two.txt");
    assert_int_equal(list.count, 2);
    assert_card(&list.items[1], "Tesla K40c", FACTS(CARD_SMS, 15, CARD_BUS, 384));
    card_list_free(&list);
    /* The processor is none, and what stands after the devices names one of them again. */
    list = read_file("tests/cards/clinfo_three.txt");
    assert_int_equal(list.count, 2);
    assert_card(&list.items[0], "GeForce GTX 1650", FACTS(CARD_SMS, 14, CARD_CAPABILITY, 75));
    assert_card(&list.items[1], "NVIDIA GeForce RTX 3080", FACTS(CARD_SMS, 70));
    card_list_free(&list);
    list = read_text("GPU 0: Tesla V100-SXM2-16GB (UUID: GPU-0)\n"
                     "GPU 1: Tesla P100-PCIE-16GB (UUID: GPU-1)\n");
    assert_int_equal(list.count, 2);
    assert_card(&list.items[1], "Tesla P100-PCIE-16GB", FACTS(CARD_SMS, 0));
    card_list_free(&list);
}

static void test_pasted_forms(void **state)
{
    (void)state;
    /* Quoted in a comment, a padded number, an old label, and a line that lost its beginning. */
    struct card_list list =
        read_text("#  Device Query (Runtime API)Detected 1 device(s)Device 0: \"GeForce GT 730M\"\n"
                  "#   (002) Multiprocessors, (192) CUDA Cores/MP:     384 CUDA Cores\r\n"
                  "#   GPU Clock Speed:                               0.76 GHz\r\n"
                  "#   L2 Cache Size:                                 Null\r\n");
    assert_card(&list.items[0], "GeForce GT 730M",
                FACTS(CARD_SMS, 2, CARD_CLOCK, 760 * MHZ, CARD_L2, 0));
    card_list_free(&list);
    list =
        read_text("<nvidia_smi_log>\n\t<gpu id=\"0\">\n\t\t<product_name>GeForce GTX 1660 Ti"
                  "</product_name>\n\t\t<fb_memory_usage>\n\t\t\t<total>5941 MiB</total>\n"
                  "\t\t</fb_memory_usage>\n\t\t<bar1_memory_usage>\n\t\t\t<total>256 MiB</total>"
                  "\n\t\t</bar1_memory_usage>\n\t\t<clocks>\n\t\t\t<sm_clock>300 MHz</sm_clock>\n"
                  "\t\t</clocks>\n\t\t<max_clocks>\n\t\t\t<sm_clock>2145 MHz</sm_clock>\n"
                  "\t\t\t<mem_clock>6001 MHz</mem_clock>\n");
    assert_card(&list.items[0], "GeForce GTX 1660 Ti",
                FACTS(CARD_MEMORY, UINT64_C(5941) << 20, CARD_MAX_CLOCK, 2145 * MHZ,
                      CARD_MEMORY_CLOCK, 6001 * MHZ));
    card_list_free(&list);
    list = read_text("name, clocks.applications.graphics [MHz], clocks.applications.memory [MHz], "
                     "clocks.max.memory [MHz]\nTesla K40m, 745 MHz, 2600 MHz, 3004 MHz\n");
    assert_card(&list.items[0], "Tesla K40m",
                FACTS(CARD_CLOCK, 745 * MHZ, CARD_MEMORY_CLOCK, 2600 * MHZ));
    card_list_free(&list);
    list = read_text("index, memory.total [MiB], name\n0, 24576 MiB, NVIDIA A30\n"
                     "1, 15360 MiB, Tesla T4\n");
    assert_int_equal(list.count, 2);
    assert_card(&list.items[1], "Tesla T4", FACTS(CARD_MEMORY, UINT64_C(15360) << 20));
    card_list_free(&list);
    list = read_text("Device Number:                  0\n"
                     "Device Name:                    NVIDIA A100-SXM4-40GB\n"
                     "Device Revision Number:         8.0\n"
                     "Global Memory Size:             42505273344\n"
                     "Number of Multiprocessors:      108\n"
                     "Clock Rate:                     1410 MHz\n"
                     "Memory Bus Width:               5120 bits\n");
    assert_card(&list.items[0], "NVIDIA A100-SXM4-40GB",
                FACTS(CARD_SMS, 108, CARD_CAPABILITY, 80, CARD_BUS, 5120, CARD_CLOCK, 1410 * MHZ));
    assert_string_equal(list.items[0].from[CARD_SMS], "nvaccelinfo");
    card_list_free(&list);
}

static void assert_refused(const char *text, size_t size, const char *expected)
{
    struct card_list list;
    struct diagnostics diagnostics = DIAGNOSTICS_INIT;
    assert_int_equal(card_text_read(text, size, "cards.txt", &list, &diagnostics), STATUS_INVALID);
    char *found = messages_take(&diagnostics);
    assert_non_null(strstr(found, expected));
    free(found);
    card_list_free(&list);
}

static void test_refused(void **state)
{
    (void)state;
    static const char wide[] = "\xff\xfeG\0P\0U\0";
    static const char amd[] = "  Device Name      gfx1030\n"
                              "  Device Vendor    Advanced Micro Devices, Inc.\n"
                              "  Max compute units  36\n";
    assert_refused(wide, sizeof wide - 1, "UTF-16");
    assert_refused(amd, sizeof amd - 1, "no card of NVIDIA, only 'gfx1030'");
    /* AMD's own clinfo, with the processor after the card. */
    static const char own[] = "  Device Type:\t\t\t CL_DEVICE_TYPE_GPU\n  Max compute units:\t 8\n"
                              "  Name:\t\t\t Bonaire\n  Vendor:\t\t Advanced Micro Devices, Inc.\n"
                              "  Name:\t\t\t AMD FX\n  Vendor:\t\t AuthenticAMD\n";
    assert_refused(own, sizeof own - 1, "no card of NVIDIA, only 'Bonaire'");
    assert_refused("", 0, "found no name of one");
    assert_refused("l1d: {size: 16KiB}\n", 19, "found no name of one");
}

/* Changed bytes never crash it, and never make a fact that is no number. */
static void test_any_bytes(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "tests/cards/devicequery_m60.txt", "tests/cards/nvidia_smi_q_h100.txt",
        "tests/cards/nvidia_smi_csv_h100.txt", "tests/cards/nvidia_smi_h100.txt",
        "tests/cards/clinfo_three.txt"};
    for (uint64_t seed = 0; seed < 3000; seed++) {
        struct card_list list;
        char *text;
        size_t size;
        assert_int_equal(file_read(paths[seed % 5], &text, &size, NULL), STATUS_OK);
        struct dice dice = {.seed = seed};
        for (int i = 0; i < 20; i++)
            text[roll(&dice, size)] = (char)roll(&dice, 256);
        (void)card_text_read(text, roll(&dice, size + 1), "changed", &list, NULL);
        for (size_t i = 0; i < list.count; i++)
            for (int fact = 0; fact < CARD_FACTS; fact++)
                assert_true(list.items[i].facts[fact] <= UINT64_C(1) << 60);
        card_list_free(&list);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_real_outputs),  cmocka_unit_test(test_one_card_in_three_forms),
        cmocka_unit_test(test_several_cards), cmocka_unit_test(test_pasted_forms),
        cmocka_unit_test(test_refused),       cmocka_unit_test(test_any_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
