/** One thing that holds after the ones before it. */
export interface Step {
  readonly title: string;
  /** @returns figures for the report @throws Error unless it holds */
  readonly run: () => Promise<string | undefined> | Promise<void>;
}
