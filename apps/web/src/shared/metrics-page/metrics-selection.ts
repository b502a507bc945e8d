import { SUBJECTS, type Subject } from './subjects.ts';

/** The part of all metrics that a page shows; it stands in the address, so that a link leads to the same values. */
export interface MetricsSelection {
  readonly search: string;
  /** Undefined shows all. */
  readonly subject: Subject | undefined;
  /** The opened units by the beginning of their topics, such as `battery_2`; undefined opens the first. */
  readonly open: readonly string[] | undefined;
}

/** @param search what stands behind the `?` of an address */
export function selectionOf(search: string): MetricsSelection {
  const parameters = new URLSearchParams(search);
  return {
    search: parameters.get('search') ?? '',
    subject: SUBJECTS.find((one) => one === parameters.get('subject')),
    open: parameters
      .get('open')
      ?.split(',')
      .filter((unit) => unit !== ''),
  };
}

/** The reverse of {@link selectionOf}. */
export function searchOf({ search, subject, open }: MetricsSelection): string {
  const parameters = new URLSearchParams();
  if (search !== '') parameters.set('search', search);
  if (subject !== undefined) parameters.set('subject', subject);
  if (open !== undefined) parameters.set('open', open.join(','));
  return parameters.toString();
}
