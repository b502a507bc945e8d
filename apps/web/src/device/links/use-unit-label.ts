import type { LinkUnit } from '@heliograph/client';
import { useDeviceLabel } from '../../shared/format/device-label.ts';

/** "Inverter 1", of what is behind a connection. */
export function useUnitLabel(): (unit: Pick<LinkUnit, 'kind' | 'topic_prefix'>) => string {
  const deviceLabel = useDeviceLabel();
  return ({ kind, topic_prefix: prefix }) => {
    // Topics count from 1, rows of metrics from 0.
    const number = /_(\d+)$/.exec(prefix)?.[1];
    return deviceLabel(kind, number === undefined ? null : Number(number) - 1);
  };
}
