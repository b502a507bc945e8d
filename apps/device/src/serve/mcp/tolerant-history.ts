import type { HistoryAnswer } from '@heliograph/contracts';
import { AppError } from '@heliograph/kit';
import type { HistorySource } from '../../history/history.ts';
import type { HistoryRequest } from '../../history/plan.ts';
import type { Problem } from './problems.ts';

/** A history that is empty while it cannot be read, and reports that as a problem: the present values are answered all the same. */
export class TolerantHistory implements Pick<HistorySource, 'read' | 'since'> {
  readonly #history: HistorySource;
  #failure: string | undefined;

  constructor(history: HistorySource) {
    this.#history = history;
  }

  /** Why what was read is not all there is. */
  get problems(): readonly Problem[] {
    if (this.#failure === undefined) return [];
    return [{ device: 'system', kind: 'history', sinceMs: undefined, text: this.#failure, topics: [] }];
  }

  since(): number | undefined {
    try {
      return this.#history.since();
    } catch (error) {
      this.#note(error);
      return undefined;
    }
  }

  async read(request: HistoryRequest): Promise<HistoryAnswer> {
    try {
      return await this.#history.read(request);
    } catch (error) {
      this.#note(error);
      return { from: 0, to: 0, step: 0, series: [], states: [] };
    }
  }

  #note(error: unknown): void {
    if (!(error instanceof AppError)) throw error;
    this.#failure = error.message;
  }
}
