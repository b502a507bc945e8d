import Supercluster from 'supercluster';

/** A site at its place. */
export interface Place {
  /** In degrees, as the longitude. */
  readonly latitude: number;
  readonly longitude: number;
}

/** Sites that a map draws as one mark. */
export interface Cluster<Site extends Place> extends Place {
  /** The one that needs attention most. */
  readonly worst: Site;
  readonly size: number;
  /** The zoom at which it comes apart. */
  readonly apartAtZoom: number;
}

/** In degrees. */
export interface MapView {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly zoom: number;
}

interface Marks<Site extends Place> {
  /** Those to draw on top last. */
  readonly sites: readonly Site[];
  readonly clusters: readonly Cluster<Site>[];
}

/** Marks nearer to each other than this are one, in pixels. */
const RADIUS_PX = 44;

/** From the next zoom on each site has a mark of its own, whatever is beside it. */
const LAST_CLUSTERED_ZOOM = 14;

/** Sites by their places. */
export class MapClusters<Site extends Place> {
  readonly #sites: readonly Site[];
  readonly #index = new Supercluster<Rank, Rank>({
    radius: RADIUS_PX,
    extent: 256,
    maxZoom: LAST_CLUSTERED_ZOOM,
    map: ({ rank }) => ({ rank }),
    reduce: (together, { rank }) => {
      together.rank = Math.min(together.rank, rank);
    },
  });

  /** @param sites those that need attention most first */
  constructor(sites: readonly Site[]) {
    this.#sites = sites;
    this.#index.load(
      sites.map(({ latitude, longitude }, rank) => ({
        type: 'Feature',
        properties: { rank },
        geometry: { type: 'Point', coordinates: [longitude, latitude] },
      })),
    );
  }

  /** The marks of a map with this view, the worst last: on top. */
  marksIn({ west, south, east, north, zoom }: MapView): Marks<Site> {
    const found = this.#index
      .getClusters([west, south, east, north], Math.floor(zoom))
      .toSorted((a, b) => b.properties.rank - a.properties.rank);
    const sites: Site[] = [];
    const clusters: Cluster<Site>[] = [];
    for (const { properties, geometry } of found) {
      const worst = this.#sites[properties.rank];
      if (worst === undefined) continue;
      if (!('cluster' in properties)) {
        sites.push(worst);
        continue;
      }
      const [longitude = 0, latitude = 0] = geometry.coordinates;
      const { point_count: size, cluster_id: id } = properties;
      const apartAtZoom = this.#index.getClusterExpansionZoom(id);
      clusters.push({ latitude, longitude, worst, size, apartAtZoom });
    }
    return { sites, clusters };
  }
}

interface Rank {
  /** The place of the site, or of the worst one, in the order of attention. */
  rank: number;
}

/** Height of a mark, and the least width, in CSS pixels. */
export const CLUSTER_PX = 36;

/** Room of a digit of its number, and how many fit into a round mark. */
const DIGIT_PX = 10;
const ROUND_DIGITS = 3;

/** Width of a mark with a number as the reader's language writes it, in CSS pixels: 1,498 is wider than 498. */
export function clusterWidth(number: string): number {
  return CLUSTER_PX + Math.max(0, number.length - ROUND_DIGITS) * DIGIT_PX;
}
