import { addBucket, addReading, type Bucket, bucketOf } from '../columns/bucket.ts';
import type { HistoryPlan } from './plan.ts';

/** Arrays of one length, ready to plot. */
export interface Curve {
  /** When each step begins, in seconds since the epoch. */
  readonly times: number[];
  readonly min: (number | null)[];
  readonly mean: (number | null)[];
  readonly max: (number | null)[];
  readonly last: (number | null)[];
}

/** Means are rounded to so many parts of a unit. */
const MEAN_PARTS = 1_000;

/** Collects what lies in each step of a plan; in any order, except that of two readings the later comes later. */
export class CurveBuilder {
  readonly #plan: HistoryPlan;
  readonly #steps: (Bucket | undefined)[] = [];

  constructor(plan: HistoryPlan) {
    this.#plan = plan;
  }

  addReading(timeMs: number, value: number): void {
    const step = this.#stepOf(timeMs);
    if (step === undefined) return;
    const bucket = this.#steps[step];
    if (bucket === undefined) this.#steps[step] = bucketOf(value);
    else addReading(bucket, value);
  }

  /** @param timeMs when the bucket begins */
  addBucket(timeMs: number, added: Readonly<Bucket>): void {
    const step = this.#stepOf(timeMs);
    if (step === undefined) return;
    const bucket = this.#steps[step];
    if (bucket === undefined) this.#steps[step] = { ...added };
    else addBucket(bucket, added);
  }

  /**
   * The steps that have readings, and a null wherever more than `longestGapMs` is without any: lines break there.
   *
   * @returns undefined when there is nothing at all
   */
  build(longestGapMs: number): Curve | undefined {
    const { fromMs, stepMs } = this.#plan;
    const curve: Curve = { times: [], min: [], mean: [], max: [], last: [] };
    let before: number | undefined;
    const add = (step: number, bucket: Bucket | undefined): void => {
      curve.times.push((fromMs + step * stepMs) / 1000);
      curve.min.push(bucket?.min ?? null);
      curve.mean.push(bucket === undefined ? null : meanOf(bucket));
      curve.max.push(bucket?.max ?? null);
      curve.last.push(bucket?.last ?? null);
    };
    this.#steps.forEach((bucket, step) => {
      if (bucket === undefined) return;
      const gapMs = before === undefined ? 0 : (step - before) * stepMs;
      if (before !== undefined && gapMs > stepMs && gapMs > longestGapMs) add(before + 1, undefined);
      add(step, bucket);
      before = step;
    });
    return before === undefined ? undefined : curve;
  }

  #stepOf(timeMs: number): number | undefined {
    const { fromMs, toMs, stepMs } = this.#plan;
    return timeMs >= fromMs && timeMs < toMs ? Math.floor((timeMs - fromMs) / stepMs) : undefined;
  }
}

function meanOf({ sum, count }: Bucket): number {
  return Math.round((sum / count) * MEAN_PARTS) / MEAN_PARTS;
}
