import type { ComponentType } from 'react';
import { BannerSection } from './sections/banner-section.tsx';
import { BusySection } from './sections/busy-section.tsx';
import { CurveSection } from './sections/curve-section.tsx';
import { EnergySection } from './sections/energy-section.tsx';
import { FlowSection } from './sections/flow-section.tsx';
import { MetricsSection } from './sections/metrics-section.tsx';
import { PartsSection } from './sections/parts-section.tsx';
import { SettingsSection } from './sections/settings-section.tsx';
import { StatesSection } from './sections/states-section.tsx';
import { TileSection } from './sections/tile-section.tsx';

interface CatalogueSection {
  readonly name: string;
  readonly about: string;
  readonly Section: ComponentType;
}

export const SECTIONS: readonly CatalogueSection[] = [
  { name: 'Flow', about: 'What flows between sun, house, battery and grid.', Section: FlowSection },
  { name: 'Tile', about: 'One figure under its name.', Section: TileSection },
  { name: 'Curve', about: 'Values over time, read with pointer, finger and keys.', Section: CurveSection },
  { name: 'Energy', about: 'Where energy came from and where it went.', Section: EnergySection },
  { name: 'Banner', about: 'How live the values of a page are.', Section: BannerSection },
  { name: 'Metrics', about: 'Everything that a device measures.', Section: MetricsSection },
  { name: 'Settings', about: 'Controls of the hardware.', Section: SettingsSection },
  { name: 'States', about: 'On its way, nothing there, failed.', Section: StatesSection },
  { name: 'Parts', about: 'Buttons, dialogs, badges and fields.', Section: PartsSection },
  { name: 'Busy', about: '200 metrics that change each second.', Section: BusySection },
];
