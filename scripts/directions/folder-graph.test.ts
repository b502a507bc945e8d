import { describe, expect, it } from 'vitest';
import { allowedFolders, circleIn, folderOf } from './folder-graph.ts';
import { FOLDERS } from './folders.ts';

describe('folders', () => {
  it.each([
    ['apps/device/src/bus/framing/tcp.ts', 'bus'],
    ['apps/device/src/drivers/deye/settings.ts', 'drivers/deye'],
    ['apps/device/src/drivers/driver.ts', 'drivers'],
    ['apps/cloud/src/features/sites/service.ts', 'features/sites'],
    ['apps/web/src/portal/sites/search.ts', 'portal/sites'],
    ['apps/cloud/src/services.ts', ''],
  ])('the folder of %s is "%s"', (file, folder) => {
    expect(folderOf(file)?.folder).toBe(folder);
  });

  it('a pattern stands for the folders of a folder', () => {
    const table = { 'shared/a': [], 'shared/b': [], 'portal/c': ['shared/*'] };
    expect(allowedFolders(table, 'portal/c')).toEqual(['shared/a', 'shared/b']);
  });

  it('a circle of folders is found', () => {
    expect(circleIn({ a: ['b'], b: ['c'], c: ['a'] })).toEqual(['a', 'b', 'c', 'a']);
    expect(circleIn({ a: ['b', 'c'], b: ['c'], c: [] })).toBeUndefined();
  });

  it.each(Object.keys(FOLDERS))('the folders of %s may not import each other in a circle', (src) => {
    expect(circleIn(FOLDERS[src] ?? {})).toBeUndefined();
  });
});
