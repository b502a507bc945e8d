import { VisuallyHidden } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { quantityText } from '../../format/amounts.ts';
import { type Format, useFormat } from '../../format/use-format.ts';
import type { LiveStatus } from '../../live/live-values.ts';
import { directionOf } from './direction.ts';
import classes from './energy-flow.module.css';
import { FlowLine } from './flow-line.tsx';
import { FlowNode } from './flow-node.tsx';
import type { Flows } from './flows.ts';

const LINES = {
  fill: 'none',
  stroke: 'currentcolor',
  strokeWidth: 1.75,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;

function PanelIcon() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" {...LINES}>
      <circle cx="12" cy="12" r="4.25" fill="var(--tone-fill)" />
      <path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4" />
    </svg>
  );
}

function HouseIcon() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" {...LINES}>
      <path d="M5 10.5V20h14v-9.5" fill="color-mix(in srgb, var(--tone-fill) 25%, transparent)" />
      <path d="M2.75 12 12 4l9.25 8" />
      <path d="M10 20v-5h4v5" fill="var(--tone-fill)" />
    </svg>
  );
}

function PylonIcon() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" {...LINES}>
      <path d="M7.5 21.5 11 2.5h2l3.5 19" fill="color-mix(in srgb, var(--tone-fill) 25%, transparent)" />
      <path d="M4 6.5h16M5 11h14M4 6.5v2M20 6.5v2M5 11v2M19 11v2M8.2 18l7-6.8M15.8 18l-7-6.8" />
    </svg>
  );
}

/** Filled as far as the battery is. @param percent null is unknown */
function BatteryIcon({ percent }: { readonly percent: number | null | undefined }) {
  const height = ((Math.min(100, Math.max(0, percent ?? 0)) / 100) * 14).toFixed(2);
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" {...LINES}>
      <rect x="8" y={20 - Number(height)} width="8" height={height} fill="var(--tone-fill)" stroke="none" />
      <path d="M9.75 4.5v-2h4.5v2" fill="currentcolor" />
      <rect x="7" y="4.75" width="10" height="16.5" rx="2" />
    </svg>
  );
}

interface EnergyFlowProps extends Flows {
  /** Whether the values are old ones. */
  readonly isStale: boolean;
  readonly status: LiveStatus['state'];
}

/** The current flows between sun, house, battery and grid, with directions and powers. */
export function EnergyFlow({ isStale, status, ...flows }: EnergyFlowProps) {
  const { t } = useTranslation('site');
  const format = useFormat();
  const { solar, load, grid, battery, stateOfCharge, batteries, solarUnits } = flows;
  const isOld = isStale || status !== 'live';
  const line = { isStill: isOld } as const;
  const without = [solar === undefined && 'top', battery === undefined && 'bottom'].filter(Boolean).join(' ');
  return (
    <figure className={classes.figure} aria-label={t('flow.title')}>
      <div className={classes.scene} data-without={without} data-old={isOld || undefined} aria-hidden="true">
        {solar !== undefined && <FlowLine {...line} side="top" tone="solar" powerW={solar} isTowardsMiddle />}
        {grid !== undefined && <FlowLine {...line} side="left" tone="grid" powerW={grid} isTowardsMiddle />}
        {load !== undefined && (
          <FlowLine {...line} side="right" tone="load" powerW={load} isTowardsMiddle={false} />
        )}
        {battery !== undefined && (
          <FlowLine {...line} side="bottom" tone="battery" powerW={battery} isTowardsMiddle={false} />
        )}
        <div className={classes.middle} />
        {solar !== undefined && (
          <FlowNode
            side="top"
            tone="solar"
            name={several(t('energy.solar'), solarUnits)}
            powerW={solar}
            icon={<PanelIcon />}
          />
        )}
        {grid !== undefined && (
          <FlowNode
            side="left"
            tone="grid"
            name={t('energy.grid')}
            powerW={grid}
            directionLabel={[t('flow.toGrid'), undefined, t('flow.fromGrid')][directionOf(grid) + 1]}
            icon={<PylonIcon />}
          />
        )}
        {load !== undefined && (
          <FlowNode side="right" tone="load" name={t('energy.load')} powerW={load} icon={<HouseIcon />} />
        )}
        {battery !== undefined && (
          <FlowNode
            side="bottom"
            tone="battery"
            name={several(t('energy.battery'), batteries)}
            powerW={battery}
            directionLabel={[t('flow.discharging'), undefined, t('flow.charging')][directionOf(battery) + 1]}
            icon={<BatteryIcon percent={stateOfCharge} />}
            percent={stateOfCharge}
          />
        )}
      </div>
      <VisuallyHidden component="figcaption">
        {flowSentences(flows, t, format).join(' ')} {isOld && t('flow.old')}
      </VisuallyHidden>
    </figure>
  );
}

/** The name of a sum of several units, with their number. */
function several(name: string, units = 1): string {
  return units > 1 ? `${name} × ${units}` : name;
}

/** The flows in sentences, for screen readers. */
function flowSentences(
  { solar, load, grid, battery, stateOfCharge, batteries, solarUnits }: Flows,
  t: TFunction<'site'>,
  format: Format,
): string[] {
  const plain = (name: string, powerW: number | null | undefined): string | undefined => {
    if (powerW === undefined) return undefined;
    return powerW === null
      ? t('flow.says.unknown', { name })
      : t('flow.says.plain', { name, power: quantityText(format.power(Math.abs(powerW))) });
  };
  const moving = (
    name: string,
    powerW: number | null | undefined,
    sentences: (power: string) => readonly [string, string],
  ) => {
    const direction = directionOf(powerW);
    if (direction === 0) return plain(name, powerW);
    const [forward, backward] = sentences(quantityText(format.power(Math.abs(powerW ?? 0))));
    return direction > 0 ? forward : backward;
  };
  return [
    plain(several(t('energy.solar'), solarUnits), solar),
    plain(t('energy.load'), load),
    moving(t('energy.grid'), grid, (power) => [
      t('flow.says.fromGrid', { power }),
      t('flow.says.toGrid', { power }),
    ]),
    moving(t('energy.battery'), battery, (power) => [
      t('flow.says.charging', { power }),
      t('flow.says.discharging', { power }),
    ]),
    typeof stateOfCharge === 'number'
      ? t('flow.says.stateOfCharge', { percent: format.number(Math.round(stateOfCharge)) })
      : undefined,
    batteries !== undefined && batteries > 1 ? `${several(t('energy.battery'), batteries)}.` : undefined,
  ].filter((sentence) => sentence !== undefined);
}
