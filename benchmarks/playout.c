/* The yardstick: random Splendor games in hand-written C.
 *
 * The same rules, the same deal, the same generator and the same choices as the package, so it plays the same
 * games decision for decision; run.py checks that before it measures. It is written for speed, as one would write
 * it without the package: one file, everything static, costs as bit sets, BMI2 where the processor has it.
 * `tables.h` is made by run.py from the package's card tables.
 */
#include <stdint.h>
#include <string.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

#include "tables.h" /* CARD_COST, CARD_COST_BITS, CARD_POINTS, CARD_BONUS, NOBLE_COST_BITS, TAKEN, TAKES_DIFFERENT */

enum { GOLD = 5, SEATS = 4, LEVELS = 3, CARDS = 90, NO_CARD = 93, MARKET = 12, HAND = 3, TABLE_NOBLES = 5 };
enum { ACT, RETURN, NOBLE, ENDED_BY_POINTS, ENDED_BY_STALEMATE };
enum {
    TAKE_PAIR = 25,
    RESERVE_MARKET = 30,
    RESERVE_DECK = 42,
    BUY_MARKET = 45,
    BUY_RESERVED = 57,
    PASS = 60,
    RETURN_TOKEN = 61,
    CHOOSE_NOBLE = 67
};

static const int8_t FIRST_CARD[LEVELS] = {0, 40, 70};
static const int8_t CARDS_IN_LEVEL[LEVELS] = {40, 30, 20};
static const int8_t GEM_TOKENS[] = {0, 0, 4, 5, 7};
static const int8_t PHASE_ACTION[] = {0, RETURN_TOKEN, CHOOSE_NOBLE};

typedef struct {
    int8_t players, seat, phase, passes;
    int8_t bank[GOLD + 1];
    int8_t nobles[TABLE_NOBLES], noble_seat[TABLE_NOBLES];
    int8_t market[MARKET];
    int8_t deck_size[LEVELS];
    int8_t deck[CARDS];
    int8_t tokens[SEATS][GOLD + 1];
    int8_t bonuses[SEATS][GOLD];
    int8_t points[SEATS];
    int8_t reserved[SEATS][HAND];
    int8_t from_deck[SEATS][HAND];
    uint8_t bought[SEATS][CARDS / 8 + 1];
    int32_t round;
} State;

/* ------------------------------------------------------------------------------------------ chance */

static inline uint64_t random_bits(uint64_t *rng) {
    uint64_t bits = *rng += 0x9E3779B97F4A7C15u;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    return bits ^ bits >> 31;
}

static inline int below(uint64_t *rng, uint32_t size) {
    uint64_t scaled = (random_bits(rng) >> 32) * size;
    if ((uint32_t)scaled < size) {
        uint32_t unfair = -size % size;
        while ((uint32_t)scaled < unfair) scaled = (random_bits(rng) >> 32) * size;
    }
    return (int)(scaled >> 32);
}

static inline int nth_bit(uint64_t bits, int n) {
#ifdef __BMI2__
    return __builtin_ctzll(_pdep_u64(1ull << n, bits));
#else
    while (n--) bits &= bits - 1;
    return __builtin_ctzll(bits);
#endif
}

/* ------------------------------------------------------------------------------------------- setup */

static inline int draw(State *s, int level) { return s->deck[FIRST_CARD[level] + --s->deck_size[level]]; }

static inline void refill(State *s, int slot) {
    int level = slot / 4;
    s->market[slot] = s->deck_size[level] > 0 ? draw(s, level) : NO_CARD;
}

static void setup(State *s, int players, uint64_t *rng) {
    memset(s, 0, sizeof *s);
    s->players = players;
    s->round = 1;
    memset(s->bank, GEM_TOKENS[players], GOLD);
    s->bank[GOLD] = 5;
    memset(s->reserved, NO_CARD, sizeof s->reserved);
    for (int card = 0; card < CARDS; card++) s->deck[card] = card;
    for (int level = 0; level < LEVELS; level++) {
        int8_t *deck = s->deck + FIRST_CARD[level];
        s->deck_size[level] = CARDS_IN_LEVEL[level];
        for (int last = CARDS_IN_LEVEL[level] - 1; last > 0; last--) {
            int other = below(rng, last + 1);
            int8_t card = deck[last];
            deck[last] = deck[other];
            deck[other] = card;
        }
    }
    for (int slot = 0; slot < MARKET; slot++) refill(s, slot);
    memset(s->nobles, -1, sizeof s->nobles);
    memset(s->noble_seat, -1, sizeof s->noble_seat);
    for (int place = 0; place <= players;) {
        int noble = below(rng, 10);
        if (!memchr(s->nobles, noble, place)) s->nobles[place++] = noble;
    }
}

/* --------------------------------------------------------------------------------------- what is legal */

static inline uint64_t color_bits(int count, int color) { return (((1ull << count) - 1) & 0xFF) << 8 * color; }

static inline uint64_t means(const State *s) {
    uint64_t bits = 0;
    for (int color = 0; color < GOLD; color++)
        bits |= color_bits(s->bonuses[s->seat][color] + s->tokens[s->seat][color], color);
    return bits;
}

static inline uint64_t visiting_nobles(const State *s) {
    uint64_t places = 0, has = 0;
    for (int color = 0; color < GOLD; color++) has |= color_bits(s->bonuses[s->seat][color], color);
    for (int place = 0; place <= s->players; place++)
        places |= (uint64_t)(s->noble_seat[place] < 0 && !(NOBLE_COST_BITS[s->nobles[place]] & ~has)) << place;
    return places;
}

static inline uint64_t legal_set(const State *s) {
    if (s->phase == RETURN) {
        uint64_t colors = 0;
        for (int color = 0; color <= GOLD; color++) colors |= (uint64_t)(s->tokens[s->seat][color] > 0) << color;
        return colors;
    }
    if (s->phase == NOBLE) return visiting_nobles(s);

    unsigned colors = 0, pairs = 0;
    for (int color = 0; color < GOLD; color++) {
        colors |= (s->bank[color] > 0) << color;
        pairs |= (s->bank[color] >= 4) << color;
    }
    uint64_t actions = TAKES_DIFFERENT[colors] | pairs << TAKE_PAIR;

    if (s->reserved[s->seat][HAND - 1] == NO_CARD) {
        uint64_t places = 0;
        for (int slot = 0; slot < MARKET; slot++) places |= (s->market[slot] != NO_CARD) << slot;
        for (int level = 0; level < LEVELS; level++) places |= (s->deck_size[level] > 0) << (MARKET + level);
        actions |= places << RESERVE_MARKET;
    }

    uint64_t lacks = ~means(s), places = 0;
    int gold = s->tokens[s->seat][GOLD];
    for (int slot = 0; slot < MARKET; slot++)
        places |= (uint64_t)(__builtin_popcountll(CARD_COST_BITS[s->market[slot]] & lacks) <= gold) << slot;
    for (int place = 0; place < HAND; place++)
        places |= (uint64_t)(__builtin_popcountll(CARD_COST_BITS[s->reserved[s->seat][place]] & lacks) <= gold)
                  << (MARKET + place);
    actions |= places << BUY_MARKET;
    return actions ? actions : 1ull << PASS;
}

/* ----------------------------------------------------------------------------------------- the turn */

static inline void end_turn(State *s) {
    int next = s->seat + 1 == s->players ? 0 : s->seat + 1;
    if (next == 0)
        for (int seat = 0; seat < s->players; seat++)
            if (s->points[seat] >= 15) {
                s->phase = ENDED_BY_POINTS;
                return;
            }
    if (s->passes == s->players) {
        s->phase = ENDED_BY_STALEMATE;
        return;
    }
    s->phase = ACT;
    s->seat = next;
    s->round += next == 0;
}

static inline void receive_noble(State *s, int place) {
    s->noble_seat[place] = s->seat;
    s->points[s->seat] += 3;
}

static inline void end_action(State *s) {
    int held = 0;
    for (int color = 0; color <= GOLD; color++) held += s->tokens[s->seat][color];
    if (held > 10) {
        s->phase = RETURN;
        return;
    }
    uint64_t visitors = visiting_nobles(s);
    if (visitors & (visitors - 1)) {
        s->phase = NOBLE;
        return;
    }
    if (visitors) receive_noble(s, __builtin_ctzll(visitors));
    end_turn(s);
}

static inline void keep_reserved(State *s, int card, int from_deck) {
    int place = 0;
    while (s->reserved[s->seat][place] != NO_CARD) place++;
    s->reserved[s->seat][place] = card;
    s->from_deck[s->seat][place] = from_deck;
    int gold = s->bank[GOLD] > 0;
    s->bank[GOLD] -= gold;
    s->tokens[s->seat][GOLD] += gold;
}

static inline void buy(State *s, int card) {
    int8_t *tokens = s->tokens[s->seat], *bonuses = s->bonuses[s->seat];
    int gold = 0;
    for (int color = 0; color < GOLD; color++) {
        int price = CARD_COST[card][color] - bonuses[color];
        price = price > 0 ? price : 0;
        int paid = price < tokens[color] ? price : tokens[color];
        gold += price - paid;
        tokens[color] -= paid;
        s->bank[color] += paid;
    }
    tokens[GOLD] -= gold;
    s->bank[GOLD] += gold;
    bonuses[CARD_BONUS[card]]++;
    s->points[s->seat] += CARD_POINTS[card];
    s->bought[s->seat][card >> 3] |= 1 << (card & 7);
}

static inline void apply(State *s, int action) {
    if (action < RESERVE_MARKET) {
        for (int color = 0; color < GOLD; color++) {
            s->bank[color] -= TAKEN[action][color];
            s->tokens[s->seat][color] += TAKEN[action][color];
        }
    } else if (action < RESERVE_DECK) {
        keep_reserved(s, s->market[action - RESERVE_MARKET], 0);
        refill(s, action - RESERVE_MARKET);
    } else if (action < BUY_MARKET) {
        keep_reserved(s, draw(s, action - RESERVE_DECK), 1);
    } else if (action < BUY_RESERVED) {
        buy(s, s->market[action - BUY_MARKET]);
        refill(s, action - BUY_MARKET);
    } else if (action < PASS) {
        int8_t *hand = s->reserved[s->seat], *from_deck = s->from_deck[s->seat];
        int gap = action - BUY_RESERVED;
        buy(s, hand[gap]);
        for (int place = gap; place < HAND - 1; place++) {
            hand[place] = hand[place + 1];
            from_deck[place] = from_deck[place + 1];
        }
        hand[HAND - 1] = NO_CARD;
        from_deck[HAND - 1] = 0;
    } else if (action == PASS) {
        s->passes++;
        end_action(s);
        return;
    } else if (action < CHOOSE_NOBLE) {
        s->tokens[s->seat][action - RETURN_TOKEN]--;
        s->bank[action - RETURN_TOKEN]++;
        end_action(s);
        return;
    } else {
        receive_noble(s, action - CHOOSE_NOBLE);
        end_turn(s);
        return;
    }
    s->passes = 0;
    end_action(s);
}

/* --------------------------------------------------------------------------------------- whole games */

static int cards_bought(const State *s, int seat) {
    int count = 0;
    for (int color = 0; color < GOLD; color++) count += s->bonuses[seat][color];
    return count;
}

/* Play games seed, seed + 1, ... to their ends; write the number of decisions and each seat's place. */
void play_games(uint64_t seed, int games, int players, int32_t *decisions, int8_t (*places)[SEATS]) {
    for (int game = 0; game < games; game++) {
        State state, *s = &state;
        uint64_t rng = seed + game;
        int32_t count = 0;
        setup(s, players, &rng);
        while (s->phase <= NOBLE) {
            uint64_t legal = legal_set(s);
            apply(s, PHASE_ACTION[s->phase] + nth_bit(legal, below(&rng, __builtin_popcountll(legal))));
            count++;
        }
        decisions[game] = count;
        for (int seat = 0; seat < SEATS; seat++) {
            places[game][seat] = seat < players;
            for (int other = 0; seat < players && other < players; other++)
                places[game][seat] += s->points[other] > s->points[seat] ||
                                      (s->points[other] == s->points[seat] &&
                                       cards_bought(s, other) < cards_bought(s, seat));
        }
    }
}
