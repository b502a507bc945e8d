import { NotFound } from '@heliograph/kit';

/** @throws NotFound for what there is not */
export function known<T>(record: T | undefined): T {
  if (record === undefined) throw new NotFound();
  return record;
}
