/** A benchmark: one folder here, whose `bench.ts` exports one of these as `bench`. */
export interface Bench {
  /** One line: the measured program, and the peer it is compared with. */
  readonly description: string;
  /** Measures and prints. @returns whether the limit was kept */
  run(): Promise<boolean>;
}
