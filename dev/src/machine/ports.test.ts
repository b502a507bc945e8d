import { expect, it } from 'vitest';
import { portsFrom } from './ports.ts';

it('ports follow each other, and those of further proxies come last', () => {
  expect(portsFrom(4000)).toEqual({ cloud: 4000, proxies: [4001], device: 4002 });
  expect(portsFrom(4000, 3)).toEqual({ cloud: 4000, proxies: [4001, 4003, 4004], device: 4002 });
  expect(portsFrom(0, 2)).toEqual({ cloud: 0, proxies: [0, 0], device: 0 });
});
