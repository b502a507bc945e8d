import { describe, expect, it } from 'vitest';
import { allowedRooms, circleIn, roomOf } from './room-graph.ts';
import { ROOMS } from './rooms.ts';

describe('rooms', () => {
  it.each([
    ['apps/device/src/bus/framing/tcp.ts', 'bus'],
    ['apps/device/src/drivers/deye/codec.ts', 'drivers/deye'],
    ['apps/device/src/drivers/driver.ts', 'drivers'],
    ['apps/cloud/src/features/sites/service.ts', 'features/sites'],
    ['apps/web/src/portal/sites/search.ts', 'portal/sites'],
    ['apps/cloud/src/services.ts', ''],
  ])('the room of %s is "%s"', (file, room) => {
    expect(roomOf(file)?.room).toBe(room);
  });

  it('a pattern stands for the rooms of a folder', () => {
    const table = { 'shared/a': [], 'shared/b': [], 'portal/c': ['shared/*'] };
    expect(allowedRooms(table, 'portal/c')).toEqual(['shared/a', 'shared/b']);
  });

  it('a circle of rooms is found', () => {
    expect(circleIn({ a: ['b'], b: ['c'], c: ['a'] })).toEqual(['a', 'b', 'c', 'a']);
    expect(circleIn({ a: ['b', 'c'], b: ['c'], c: [] })).toBeUndefined();
  });

  it.each(Object.keys(ROOMS))('the rooms of %s may not import each other in a circle', (src) => {
    expect(circleIn(ROOMS[src] ?? {})).toBeUndefined();
  });
});
