import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format/use-format.ts';
import type { LiveStatus } from '../../live/live-values.ts';
import { directionOf } from './direction.ts';
import classes from './energy-flow.module.css';
import { FlowLine } from './flow-line.tsx';
import { FlowNode } from './flow-node.tsx';
import { flowSentences } from './flow-says.ts';
import type { Flows } from './flows.ts';
import { BatteryIcon, HouseIcon, PanelIcon, PylonIcon } from './node-icons.tsx';

interface EnergyFlowProps extends Flows {
  /** Whether the values are old ones. */
  readonly isStale: boolean;
  readonly status: LiveStatus['state'];
}

/** What flows between sun, house, battery and grid right now, which way and how much. */
export function EnergyFlow({ isStale, status, ...flows }: EnergyFlowProps) {
  const { t } = useTranslation('site');
  const format = useFormat();
  const { solar, load, grid, battery, stateOfCharge } = flows;
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
          <FlowNode side="top" tone="solar" name={t('energy.solar')} powerW={solar} icon={<PanelIcon />} />
        )}
        {grid !== undefined && (
          <FlowNode
            side="left"
            tone="grid"
            name={t('energy.grid')}
            powerW={grid}
            words={[t('flow.toGrid'), undefined, t('flow.fromGrid')][directionOf(grid) + 1]}
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
            name={t('energy.battery')}
            powerW={battery}
            words={[t('flow.discharging'), undefined, t('flow.charging')][directionOf(battery) + 1]}
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
