import { type LazyPage, pagesOf } from '../shared/routing/lazy-page.ts';
import { type DevicePageSource, SOURCES } from './page-table.ts';

export type DevicePage = DevicePageSource & LazyPage;

/** Every page of the device for whoever is let in. */
export const PAGES: readonly DevicePage[] = pagesOf(SOURCES);
