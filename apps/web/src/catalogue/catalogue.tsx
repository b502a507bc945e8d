import { type ComponentType, useState } from 'react';
import { textOn } from '../portal/brand/brand-variables.ts';
import { ErrorBoundary } from '../shared/components/states/error-boundary.tsx';
import { SchemeSwitch } from '../shared/preferences/scheme-switch.tsx';
import classes from './catalogue.module.css';
import { CurveSection } from './curve-section.tsx';
import { BusySection, MetricsSection, SettingsSection } from './device-sections.tsx';
import { BannerSection, EnergySection, FlowSection } from './energy-sections.tsx';
import { PartsSection, StatesSection } from './state-sections.tsx';

const SECTIONS: readonly CatalogueSection[] = [
  { name: 'Flow', about: 'What flows between sun, house, battery and grid.', Section: FlowSection },
  { name: 'Curve', about: 'Values over time, read with pointer, finger and keys.', Section: CurveSection },
  { name: 'Energy', about: 'Where energy came from and where it went.', Section: EnergySection },
  { name: 'Banner', about: 'How live the values of a page are.', Section: BannerSection },
  { name: 'Metrics', about: 'Everything that a device measures.', Section: MetricsSection },
  { name: 'Settings', about: 'Controls of the hardware.', Section: SettingsSection },
  { name: 'States', about: 'On its way, nothing there, failed.', Section: StatesSection },
  { name: 'Parts', about: 'Buttons, dialogs, badges and fields.', Section: PartsSection },
  { name: 'Busy', about: '200 metrics that change each second.', Section: BusySection },
];

/** Every component that the portal and the device's pages share, in all of its states. For developers. */
export function Catalogue() {
  const [width, setWidth] = useState<string>('full');
  return (
    <>
      <Toolbar width={width} onWidth={setWidth} />
      <main className={classes.main} data-width={width}>
        <h1>Components</h1>
        {SECTIONS.map(({ name, about, Section }) => (
          <section key={name} id={name} className={classes.section} aria-labelledby={`${name}-title`}>
            <h2 id={`${name}-title`}>{name}</h2>
            <p className={classes.about}>{about}</p>
            <ErrorBoundary>
              <Section />
            </ErrorBoundary>
          </section>
        ))}
      </main>
    </>
  );
}

interface CatalogueSection {
  readonly name: string;
  readonly about: string;
  readonly Section: ComponentType;
}

/** Widths that pages are looked at in, in pixels; what depends on the window's own needs a narrow window. */
const WIDTHS = ['full', '390', '320'];

interface ToolbarProps {
  readonly width: string;
  readonly onWidth: (width: string) => void;
}

/** The ways around, and how everything is looked at: scheme, width, an organization's colour. */
function Toolbar({ width, onWidth }: ToolbarProps) {
  const [color, setColor] = useState('#2c5aa0');
  const paint = (next: string): void => {
    setColor(next);
    const { style } = document.documentElement;
    style.setProperty('--hg-primary', next);
    style.setProperty('--hg-on-primary', textOn(next));
  };
  return (
    <header className={classes.toolbar}>
      <nav aria-label="Components">
        {SECTIONS.map(({ name }) => (
          <a key={name} href={`#${name}`}>
            {name}
          </a>
        ))}
      </nav>
      <div className={classes.switches}>
        <SchemeSwitch />
        <label>
          Width{' '}
          <select value={width} onChange={(event) => onWidth(event.currentTarget.value)}>
            {WIDTHS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label>
          Brand <input type="color" value={color} onChange={(event) => paint(event.currentTarget.value)} />
        </label>
      </div>
    </header>
  );
}
