import { SubmitCancelled } from '../../../shared/components/form/submit-cancelled.ts';
import { limitConcurrency } from './limit-concurrency.ts';

/** The outcome of a change at one site; the error is undefined where it was made. */
export interface Outcome {
  readonly error: unknown;
}

export type Outcomes = ReadonlyMap<number, Outcome>;

/** Changes that run at once. */
const CONCURRENCY = 4;

interface BulkRunOptions {
  /** Receives the outcomes that there are, after each change. */
  readonly onOutcomes: (outcomes: Outcomes) => void;
  /** Whether a refusal of the first change is one of all changes. */
  readonly isOfAll?: (error: unknown) => boolean;
}

/**
 * Makes one change at each of some sites. The first one runs alone: it may ask for a fresh sign-in, or create the account
 * that the others need.
 *
 * @throws the error of the first change where it is one of all, and SubmitCancelled
 */
export async function runAtEach(
  ids: readonly number[],
  change: (id: number) => Promise<unknown>,
  { onOutcomes, isOfAll = () => false }: BulkRunOptions,
): Promise<Outcomes> {
  const outcomes = new Map<number, Outcome>();
  const changeOne = async (id: number, rethrows: (error: unknown) => boolean): Promise<void> => {
    try {
      await change(id);
      outcomes.set(id, { error: undefined });
    } catch (error) {
      if (rethrows(error)) throw error;
      outcomes.set(id, { error });
    }
    onOutcomes(new Map(outcomes));
  };
  const [first, ...others] = ids;
  if (first === undefined) return outcomes;
  await changeOne(first, (error) => error instanceof SubmitCancelled || isOfAll(error));
  const limited = limitConcurrency(CONCURRENCY);
  await Promise.all(others.map((id) => limited(() => changeOne(id, () => false))));
  return outcomes;
}
