import { ManualClock } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { LinkHealth } from './link-health.ts';

/** Polls once a second for a while; every n-th is not answered. */
function polled(seconds: number, { missing }: { missing: (second: number) => boolean }) {
  const clock = new ManualClock(0);
  const health = new LinkHealth(clock, 1_000);
  for (let second = 0; second < seconds; second++) {
    health.attempted();
    if (!missing(second)) health.answered(40);
    clock.advance(1_000);
  }
  return { clock, health };
}

it.each([
  ['every poll', () => false, 100],
  ['every second poll', (second: number) => second % 2 === 1, 50],
  ['nine of ten', (second: number) => second % 10 === 0, 90],
  ['none', () => true, 0],
])('a link that answers %s', (_what, missing, quality) => {
  expect(polled(300, { missing }).health.quality()).toBe(quality);
});

it('the quality is unknown before the first poll, and full from the first answer on', () => {
  expect(new LinkHealth(new ManualClock(0), 1_000).quality()).toBeNull();
  expect(polled(1, { missing: () => false }).health.quality()).toBe(100);
});

it('the quality falls within a minute of silence, however rarely the link is tried again', () => {
  const { clock, health } = polled(300, { missing: () => false });
  clock.advance(30_000);
  expect(health.quality()).toBe(50);
  clock.advance(30_000);
  expect(health.quality()).toBe(0);
});

it('a poll that needs longer than the interval counts as full quality', () => {
  const clock = new ManualClock(0);
  const health = new LinkHealth(clock, 1_000);
  for (let poll = 0; poll < 60; poll++) {
    health.attempted();
    clock.advance(2_500);
    health.answered(2_500);
    clock.advance(500);
  }
  expect(health.cadenceMs).toBe(3_000);
  expect(health.quality()).toBe(100);
});
