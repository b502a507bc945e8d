import { expect, it } from 'vitest';
import { SubmitCancelled } from '../../../shared/components/form/submit-cancelled.ts';
import { runAtEach } from './bulk-run.ts';

const refusal = new Error('refused');

it('a change that one site refuses is made at the others, and each has its outcome', async () => {
  const reported: number[] = [];
  const outcomes = await runAtEach(
    [1, 2, 3],
    (id) => (id === 2 ? Promise.reject(refusal) : Promise.resolve()),
    { onOutcomes: ({ size }) => reported.push(size) },
  );
  expect([...outcomes].sort()).toEqual([
    [1, { error: undefined }],
    [2, { error: refusal }],
    [3, { error: undefined }],
  ]);
  expect(reported).toEqual([1, 2, 3]);
});

it('no other site is changed once a person gives up the fresh sign-in for the first one', async () => {
  const changed: number[] = [];
  const cancelled = new SubmitCancelled('', {});
  const run = runAtEach(
    [1, 2],
    (id) => {
      changed.push(id);
      return Promise.reject(cancelled);
    },
    { onOutcomes: () => undefined },
  );
  await expect(run).rejects.toBe(cancelled);
  expect(changed).toEqual([1]);
});

it('an input that the first site refuses for all is sent to no other site', async () => {
  const changed: number[] = [];
  const run = runAtEach(
    [1, 2],
    (id) => {
      changed.push(id);
      return Promise.reject(refusal);
    },
    { onOutcomes: () => undefined, isOfAll: (error) => error === refusal },
  );
  await expect(run).rejects.toBe(refusal);
  expect(changed).toEqual([1]);
});
