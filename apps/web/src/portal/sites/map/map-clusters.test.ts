import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clusterWidth, MapClusters, type MapView } from './map-clusters.ts';

const WORLD: MapView = { west: -180, south: -85, east: 180, north: 85, zoom: 0 };

const places = fc.array(
  fc.record({
    latitude: fc.double({ min: -80, max: 80, noNaN: true }),
    longitude: fc.double({ min: -179, max: 179, noNaN: true }),
  }),
  { maxLength: 60 },
);

it('every site is drawn once at every zoom, by itself or in a cluster', () => {
  fc.assert(
    fc.property(places, fc.integer({ min: 0, max: 19 }), (sites, zoom) => {
      const { sites: alone, clusters } = new MapClusters(sites).marksIn({ ...WORLD, zoom });
      const together = clusters.reduce((sum, { size }) => sum + size, 0);
      expect(alone.length + together).toBe(sites.length);
    }),
  );
});

it('a cluster shows the worst of its sites, and comes apart at its zoom', () => {
  const near = (name: string, east: number) => ({ name, latitude: 52.5, longitude: 13.4 + east });
  const sites = [near('silent', 0.01), near('offline', 0), near('fine', 0.02), near('far', 40)];
  const clusters = new MapClusters(sites);
  const { sites: alone, clusters: together } = clusters.marksIn({ ...WORLD, zoom: 4 });
  expect(alone.map(({ name }) => name)).toEqual(['far']);
  expect(together.map(({ worst, size }) => [worst.name, size])).toEqual([['silent', 3]]);
  const [first] = together;
  expect(clusters.marksIn({ ...WORLD, zoom: first?.apartAtZoom ?? 0 }).clusters).not.toEqual(together);
});

it('sites at one place have marks of their own at the closest zoom, the worst on top', () => {
  const sites = ['silent', 'offline', 'fine'].map((name) => ({ name, latitude: 52.5, longitude: 13.4 }));
  const { sites: drawn, clusters } = new MapClusters(sites).marksIn({ ...WORLD, zoom: 15 });
  expect(drawn.map(({ name }) => name)).toEqual(['fine', 'offline', 'silent']);
  expect(clusters).toEqual([]);
});

it('a mark is as wide as its number', () => {
  expect(['2', '498', '1,498', '12\u202f498'].map(clusterWidth)).toEqual([36, 36, 56, 66]);
});
