import { describe, expect, it } from 'vitest';
import { pathOf } from './qr-path.ts';

describe('the path of a QR code', () => {
  it('the path has one rectangle for every run of dark modules', () => {
    const [O, I] = [false, true];
    expect(
      pathOf([
        [I, I, O, I],
        [O, O, O, O],
        [O, I, I, I],
      ]),
    ).toBe('M0 0h2v1h-2zM3 0h1v1h-1zM1 2h3v1h-3z');
  });
});
