import { ConnectionError } from '@heliograph/client';
import { type ComponentType, useState } from 'react';
import { textOn } from '../portal/brand/brand-variables.ts';
import { Card } from '../shared/components/card/card.tsx';
import { Curve } from '../shared/components/curve/curve.tsx';
import { ErrorBoundary } from '../shared/components/states/error-boundary.tsx';
import { CurvesView, HistoryCurve } from '../shared/energy/history-curve.tsx';
import { RangeChooser } from '../shared/energy/range-chooser.tsx';
import type { HistoryRange } from '../shared/energy/ranges.ts';
import type { Curves } from '../shared/energy/use-curves.ts';
import { SchemeSwitch } from '../shared/preferences/scheme-switch.tsx';
import classes from './catalogue.module.css';
import { DemoSite } from './demo-site.tsx';
import { BusySection, MetricsSection, SettingsSection } from './device-sections.tsx';
import { BannerSection, EnergySection, FlowSection } from './energy-sections.tsx';
import { SAMPLE_DAY_S, sampleDay } from './samples.ts';
import { Specimen, Specimens } from './specimen.tsx';
import { PartsSection, StatesSection } from './state-sections.tsx';

const SPAN = { from: SAMPLE_DAY_S, to: SAMPLE_DAY_S + 86_400, stepS: 300 };

const DAY = sampleDay();
const WITHOUT_VALUES = DAY.map((curve) => ({ ...curve, times: [], values: [] }));

const EMPTY: Curves = {
  series: [],
  span: SPAN,
  timeZone: 'UTC',
  isLoading: false,
  error: undefined,
  retry: () => undefined,
};

const NO_ANSWER = new ConnectionError('http://device', 'no answer', undefined);

function CurveSection() {
  const [range, setRange] = useState<HistoryRange>('today');
  const voltages = DAY.slice(0, 3).map((one, index) => ({
    ...one,
    name: `Voltage of a phase with a long name, number ${index + 1}`,
    unit: 'V',
    tone: 'grid' as const,
    values: one.values.map((value) => (value === null ? null : 229 + index + value / 2_000)),
  }));
  const one = DAY.slice(0, 1).map((curve) => ({ ...curve, times: [SAMPLE_DAY_S + 43_200], values: [4_200] }));
  return (
    <Specimens isWide>
      <Specimen state="a day of power and charge, with a gap">
        <Card title="Power and charge" action={<RangeChooser value={range} onChange={setRange} />}>
          <CurvesView {...EMPTY} series={DAY} height={300} />
        </Card>
      </Specimen>
      <Specimen state="several of one colour">
        <Card title="Voltages">
          <Curve
            series={voltages}
            from={SPAN.from}
            to={SPAN.to}
            label="Voltages"
            timeZone="UTC"
            height={220}
          />
        </Card>
      </Specimen>
      <Specimen state="a single point">
        <Card title="Solar">
          <Curve series={one} from={SPAN.from} to={SPAN.to} label="Solar" timeZone="UTC" height={160} />
        </Card>
      </Specimen>
      <Specimen state="on its way">
        <CurvesView {...EMPTY} series={WITHOUT_VALUES} isLoading height={160} />
      </Specimen>
      <Specimen state="nothing recorded">
        <CurvesView {...EMPTY} height={160} />
      </Specimen>
      <Specimen state="failed">
        <CurvesView {...EMPTY} error={NO_ANSWER} height={160} />
      </Specimen>
      <Specimen state="failed in part">
        <CurvesView {...EMPTY} series={DAY.slice(0, 1)} error={NO_ANSWER} height={160} />
      </Specimen>
      <Specimen state="no history">
        <DemoSite>
          <HistoryCurve topics={TOPICS} range="today" />
        </DemoSite>
      </Specimen>
    </Specimens>
  );
}

const TOPICS = ['total/pv_power'];

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
