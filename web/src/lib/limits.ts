/** Limits of the rulebook that are shown. `tests/small.test.ts` compares them with the rules. */

export const HAND_LIMIT = 10
