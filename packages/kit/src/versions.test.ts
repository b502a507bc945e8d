import { expect, it } from 'vitest';
import { compareVersions, isVersion } from './versions.ts';

it('versions are in the order of Semantic Versioning', () => {
  // The last ones are the example of its paragraph 11.
  const inOrder = [
    '0.1.0',
    '0.2.0',
    '0.10.0',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
  ];
  expect(inOrder.toReversed().toSorted(compareVersions)).toEqual(inOrder);
  expect(compareVersions('1.2.3', '1.2.3')).toBe(0);
});

it.each(['', '1', '1.2', '01.2.3', '1.2.3.4', 'v1.2.3', '1.2.3-', '1.2.3/..', '../1.2.3'])(
  '"%s" is no version',
  (text) => {
    expect(isVersion(text)).toBe(false);
    expect(() => compareVersions(text, '1.0.0')).toThrow('is no version');
  },
);
