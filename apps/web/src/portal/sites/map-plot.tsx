import type { SiteState } from '@heliograph/client';
import type { PortalSession } from '@heliograph/contracts';
import {
  CircleMarker,
  circleMarker,
  control,
  divIcon,
  type Layer,
  type Map as LeafletMap,
  latLngBounds,
  map as leafletMap,
  type Marker,
  marker,
  tileLayer,
} from 'leaflet';
import 'leaflet/dist/leaflet.css';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { useFormat } from '../../shared/format/use-format.ts';
import { type Cluster, MapClusters, type MapView, type Place } from './map-clusters.ts';
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
const CLUSTER_PX = 36;

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
  const fitted = useRef<{ readonly map: LeafletMap; readonly places: string }>(undefined);
  useEffect(() => {
    if (map === undefined) return undefined;
    if (fitted.current?.map !== map || fitted.current.places !== places) {
      const bounds = latLngBounds(sites.map(({ latitude, longitude }) => [latitude, longitude]));
      map.fitBounds(bounds.pad(0.1), { maxZoom: CLOSEST_ZOOM, animate: false });
      fitted.current = { map, places };
    }
    const clusters = new MapClusters(sites);
    // A mark that stays keeps its open popup and the focus.
    let marks: ReadonlyMap<string, Layer> = new Map();
    const draw = (): void => {
      const view = viewOf(map);
      const found = clusters.marksIn(view);
      const former = marks;
      const drawn = new Map<string, Layer>();
      for (const site of found.sites) {
        const key = `${site.id}`;
        const mark = former.get(key);
        drawn.set(
          key,
          mark instanceof CircleMarker ? mark.bringToFront() : markerOf(site, navigate).addTo(map),
        );
      }
      for (const cluster of found.clusters) {
        const { latitude, longitude, worst, size } = cluster;
        const key = `${latitude},${longitude} ${size}`;
        const label = t('map.cluster', { ns: 'fleet', number: number(size), state: worst.label });
        const texts = { label, number: number(size) };
        drawn.set(key, former.get(key) ?? clusterOf(cluster, texts, map).addTo(map));
      }
      for (const [key, mark] of former) if (!drawn.has(key)) mark.remove();
      marks = drawn;
      onView(view);
    };
    draw();
    map.on('moveend', draw);
    return () => {
      map.off('moveend', draw);
      for (const mark of marks.values()) mark.remove();
    };
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

interface ClusterTexts {
  readonly label: string;
  readonly number: string;
}

function clusterOf(cluster: Cluster<LocatedSite>, { label, number }: ClusterTexts, map: LeafletMap): Marker {
  const { latitude, longitude, worst, apartAtZoom } = cluster;
  // The mark is gone then, and the keyboard goes on at the map.
  const approach = (): void => map.setView([latitude, longitude], apartAtZoom).getContainer().focus();
  return marker([latitude, longitude], {
    title: label,
    icon: divIcon({
      className: `${classes.cluster} ${classes[worst.tone]}`,
      html: textOf(number),
      iconSize: [CLUSTER_PX, CLUSTER_PX],
    }),
  })
    .on('add', ({ target }: { target: Marker }) => target.getElement()?.setAttribute('aria-label', label))
    .on('click', approach)
    .on('keypress', ({ originalEvent }) => {
      if (originalEvent.key === 'Enter') approach();
    });
}

function markerOf(site: LocatedSite, navigate: (path: string) => void): CircleMarker {
  return circleMarker([site.latitude, site.longitude], {
    radius: RADIUS_PX,
    className: `${classes.marker} ${classes[site.tone]}`,
  })
    .bindTooltip(textOf(`${site.name}: ${site.label}`))
    .bindPopup(
      () => {
        const popup = document.createElement('div');
        const link = document.createElement('a');
        link.href = `/sites/${site.id}`;
        link.textContent = site.name;
        link.addEventListener('click', (event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          navigate(`/sites/${site.id}`);
        });
        popup.append(link, document.createElement('br'), site.label);
        return popup;
      },
      { closeButton: false },
    )
    .on('popupopen', ({ target }) => target.closeTooltip());
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
