import type { SiteState } from '@heliograph/client';
import type { PortalSession } from '@heliograph/contracts';
import {
  type CircleMarker,
  circleMarker,
  control,
  featureGroup,
  type Map as LeafletMap,
  map as leafletMap,
  tileLayer,
} from 'leaflet';
import 'leaflet/dist/leaflet.css';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import classes from './site-map.module.css';

export interface LocatedSite {
  readonly id: number;
  readonly name: string;
  readonly state: SiteState;
  readonly stateLabel: string;
  /** In degrees, as the longitude. */
  readonly latitude: number;
  readonly longitude: number;
}

interface MapPlotProps {
  readonly sites: readonly LocatedSite[];
  /** Null: sites stand on a plain ground, with a scale. */
  readonly tiles: PortalSession['map_tiles'];
}

/** A single site does not fill the map with its own roof. */
const CLOSEST_ZOOM = 13;
const RADIUS_PX = 9;

/** Sites at their places. The list beside it has the same for those who do not see it. */
export function MapPlot({ sites, tiles }: MapPlotProps) {
  const { t } = useTranslation(['sites', 'fleet']);
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
  const places = sites.map(({ id, latitude, longitude }) => `${id}:${latitude},${longitude}`).join(' ');
  const fitted = useRef<{ readonly map: LeafletMap; readonly places: string }>(undefined);
  useEffect(() => {
    if (map === undefined) return undefined;
    const markers = featureGroup(sites.map((site) => markerOf(site, navigate)));
    if (fitted.current?.map !== map || fitted.current.places !== places) {
      map.fitBounds(markers.getBounds().pad(0.1), { maxZoom: CLOSEST_ZOOM, animate: false });
      fitted.current = { map, places };
    }
    markers.addTo(map);
    return () => void markers.remove();
  }, [map, sites, places, navigate]);

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

function markerOf(site: LocatedSite, navigate: (path: string) => void): CircleMarker {
  return circleMarker([site.latitude, site.longitude], {
    radius: RADIUS_PX,
    className: `${classes.marker} ${classes[site.state]}`,
  })
    .bindTooltip(textOf(`${site.name}: ${site.stateLabel}`))
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
        popup.append(link, document.createElement('br'), site.stateLabel);
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
