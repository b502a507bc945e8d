/** Variables that give a program the faked clock of this one, under libfaketime (`scripts/at-date.ts`); else none. */
export function clockEnv(): NodeJS.ProcessEnv {
  const { FAKETIME, LD_PRELOAD, DONT_FAKE_MONOTONIC, FAKETIME_FORCE_MONOTONIC_FIX } = process.env;
  return FAKETIME ? { FAKETIME, LD_PRELOAD, DONT_FAKE_MONOTONIC, FAKETIME_FORCE_MONOTONIC_FIX } : {};
}
