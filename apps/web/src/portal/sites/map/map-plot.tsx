import type { SiteState } from '@heliograph/client';
import type { PortalSession } from '@heliograph/contracts';
import {
  circleMarker,
  control,
  divIcon,
  type Layer,
  type Map as LeafletMap,
  latLngBounds,
  map as leafletMap,
  marker,
  tileLayer,
} from 'leaflet';
import 'leaflet/dist/leaflet.css';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { useFormat } from '../../../shared/format/use-format.ts';
import {
  CLUSTER_PX,
  type Cluster,
  clusterWidth,
  MapClusters,
  type MapView,
  type Place,
} from './map-clusters.ts';
import classes from './site-map.module.css';

export interface LocatedSite extends Place {
  readonly id: number;
  readonly name: string;
  /** Its state, or how bad its worst alert is, where that is worse. */
  readonly tone: SiteState | 'critical' | 'warning';
  /** The same in words. */
  readonly label: string;
}

interface MapPlotProps {
  /** Those that need attention most first. */
  readonly sites: readonly LocatedSite[];
  readonly onView: (view: MapView) => void;
  /** Null: sites stand on a plain ground, with a scale. */
  readonly tiles: PortalSession['map_tiles'];
}

/** A single site does not fill the map with its own roof. */
const CLOSEST_ZOOM = 13;
const RADIUS_PX = 9;

/** Sites at their places. The list beside it has the same for those who do not see it. */
export function MapPlot({ sites, onView, tiles }: MapPlotProps) {
  const { t } = useTranslation(['sites', 'fleet']);
  const { number } = useFormat();
  const [, navigate] = useLocation();
  const element = useRef<HTMLElement>(null);
  const [map, setMap] = useState<LeafletMap>();

  useEffect(() => {
    if (element.current === null) return undefined;
    const made = leafletMap(element.current, { zoomControl: false, worldCopyJump: true, maxZoom: 19 });
    made.attributionControl.setPrefix(false);
    control.scale({ imperial: false }).addTo(made);
    if (tiles !== null) {
      tileLayer(tiles.url, {
        attribution: asText(tiles.attribution ?? ''),
        maxZoom: 19,
        // The server of the tiles learns which portal asks, and nothing of its pages.
        referrerPolicy: 'origin',
      }).addTo(made);
    }
    setMap(made);
    return () => {
      made.remove();
      setMap(undefined);
    };
  }, [tiles]);

  // A refreshed list moves nothing; another set of sites is fitted into the map.
  const places = sites
    .map(({ id, latitude, longitude }) => `${id}:${latitude},${longitude}`)
    .toSorted()
    .join(' ');
  const drawn = useRef<{ readonly map: LeafletMap; readonly places: string; readonly marks: Marks }>(
    undefined,
  );
  useEffect(() => {
    if (map === undefined) return undefined;
    const former = drawn.current?.map === map ? drawn.current : undefined;
    if (former?.places !== places) {
      const bounds = latLngBounds(sites.map(({ latitude, longitude }) => [latitude, longitude]));
      map.fitBounds(bounds.pad(0.1), { maxZoom: CLOSEST_ZOOM, animate: false });
    }
    const marks: Marks = former?.marks ?? new Map();
    drawn.current = { map, places, marks };
    const clusters = new MapClusters(sites);
    const draw = (): void => {
      const view = viewOf(map);
      const found = clusters.marksIn(view);
      const outdated = new Set(marks.keys());
      const put = <Shown,>(key: string, shown: Shown, make: () => Mark<Shown>): void => {
        outdated.delete(key);
        const mark = (marks.get(key) as Mark<Shown> | undefined) ?? make();
        mark.show(shown);
        marks.set(key, mark);
      };
      for (const site of found.sites) put(`${site.id}`, site, () => siteMark(map, site, navigate));
      for (const cluster of found.clusters) {
        const { latitude, longitude, worst, size } = cluster;
        const label = t('map.cluster', { ns: 'fleet', number: number(size), state: worst.label });
        const shown = { cluster, label, number: number(size) };
        put(`${latitude},${longitude} ${size}`, shown, () => clusterMark(map, shown));
      }
      for (const key of outdated) {
        marks.get(key)?.layer.remove();
        marks.delete(key);
      }
      onView(view);
    };
    draw();
    map.on('moveend', draw);
    return () => void map.off('moveend', draw);
  }, [map, sites, places, navigate, onView, t, number]);

  return (
    <div className={classes.frame}>
      <section className={classes.map} ref={element} aria-label={t('fleet.map')} />
      <div className={classes.zoom}>
        <button type="button" aria-label={t('map.zoomIn', { ns: 'fleet' })} onClick={() => map?.zoomIn()}>
          +
        </button>
        <button type="button" aria-label={t('map.zoomOut', { ns: 'fleet' })} onClick={() => map?.zoomOut()}>
          −
        </button>
      </div>
    </div>
  );
}

/** The part of the world that the map shows now. */
function viewOf(map: LeafletMap): MapView {
  const bounds = map.getBounds();
  return {
    west: bounds.getWest(),
    south: bounds.getSouth(),
    east: bounds.getEast(),
    north: bounds.getNorth(),
    zoom: map.getZoom(),
  };
}

/** A mark on the map. It stays while its site or cluster does, with its open popup and the focus. */
interface Mark<Shown> {
  readonly layer: Layer;
  show(shown: Shown): void;
}

/** By the id of a site, or the place and size of a cluster. */
type Marks = Map<string, Mark<never>>;

interface ShownCluster {
  readonly cluster: Cluster<LocatedSite>;
  readonly label: string;
  readonly number: string;
}

function clusterMark(map: LeafletMap, first: ShownCluster): Mark<ShownCluster> {
  let { cluster } = first;
  const text = textOf(first.number);
  // The mark is gone then, and the keyboard goes on at the map.
  const approach = (): void =>
    map.setView([cluster.latitude, cluster.longitude], cluster.apartAtZoom).getContainer().focus();
  const layer = marker([cluster.latitude, cluster.longitude], {
    icon: divIcon({
      className: classes.cluster,
      html: text,
      iconSize: [clusterWidth(first.number), CLUSTER_PX],
    }),
  })
    .on('click', approach)
    .on('keypress', ({ originalEvent }) => {
      if (originalEvent.key === 'Enter') approach();
    })
    .addTo(map);
  return {
    layer,
    show(shown) {
      const element = layer.getElement();
      if (element === undefined) return;
      replaceClass(element, classes[cluster.worst.tone], classes[shown.cluster.worst.tone]);
      element.title = shown.label;
      element.setAttribute('aria-label', shown.label);
      text.textContent = shown.number;
      ({ cluster } = shown);
    },
  };
}

function siteMark(map: LeafletMap, first: LocatedSite, navigate: (path: string) => void): Mark<LocatedSite> {
  const path = `/sites/${first.id}`;
  const link = document.createElement('a');
  link.href = path;
  link.addEventListener('click', (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(path);
  });
  const label = document.createElement('span');
  const popup = document.createElement('div');
  popup.append(link, document.createElement('br'), label);
  const tooltip = document.createElement('span');
  let { tone } = first;
  const layer = circleMarker([first.latitude, first.longitude], {
    radius: RADIUS_PX,
    className: classes.marker,
  })
    .bindTooltip(tooltip)
    .bindPopup(popup, { closeButton: false })
    .on('popupopen', ({ target }) => target.closeTooltip())
    .addTo(map);
  return {
    layer,
    show(site) {
      const element = layer.getElement();
      if (element !== undefined) replaceClass(element, classes[tone], classes[site.tone]);
      ({ tone } = site);
      const isChanged = link.textContent !== site.name || label.textContent !== site.label;
      link.textContent = site.name;
      label.textContent = site.label;
      if (isChanged && layer.isPopupOpen()) {
        // Its size follows its content, which is put into it again.
        const isFocused = document.activeElement === link;
        layer.getPopup()?.update();
        if (isFocused) link.focus();
      }
      tooltip.textContent = `${site.name}: ${site.label}`;
      layer.setLatLng([site.latitude, site.longitude]).bringToFront();
    },
  };
}

function replaceClass(element: Element, former: string | undefined, next: string | undefined): void {
  if (former !== undefined) element.classList.remove(former);
  if (next !== undefined) element.classList.add(next);
}

/** Leaflet takes a string for HTML. */
function textOf(text: string): HTMLElement {
  const element = document.createElement('span');
  element.textContent = text;
  return element;
}

function asText(text: string): string {
  return textOf(text).innerHTML;
}
