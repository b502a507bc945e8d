import { formatDate } from '@heliograph/kit/calendar-days';
import { localDay } from '@heliograph/kit/local-time';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { saveCsv } from '../browser/save-csv.ts';
import { Curve, CurveFrame } from '../components/curve/curve.tsx';
import { Failure } from '../components/states/failure.tsx';
import { Placeholder } from '../components/states/placeholder.tsx';
import { regionalTag } from '../format/region.ts';
import { useLive } from '../live/live-context.tsx';
import { curveRows } from './curves-csv.ts';
import type { HistoryRange } from './ranges.ts';
import { type Curves, useCurves } from './use-curves.ts';

interface HistoryCurveProps {
  /** The same array as long as they are the same. */
  readonly topics: readonly string[];
  readonly range: HistoryRange;
  readonly height?: number;
}

/** The past of some topics as curves, with their states: on its way, nothing recorded, failed, no history at all. */
export function HistoryCurve({ topics, range, height = 300 }: HistoryCurveProps) {
  const { t } = useTranslation('site');
  const { device } = useLive();
  const curves = useCurves(topics, range);
  if (device === undefined) return <Text c="dimmed">{t('energy.curves.noHistory')}</Text>;
  return <CurvesView {...curves} height={height} />;
}

interface CurvesShownProps extends Curves {
  readonly height: number;
}

export function CurvesView({ series, span, timeZone, isLoading, error, retry, height }: CurvesShownProps) {
  const { t, i18n } = useTranslation('site');
  const filled = series.filter(({ values }) => values.some((value) => value !== null));
  if (isLoading || filled.length === 0) {
    return (
      <>
        <CurveFrame series={series}>
          {isLoading ? (
            <Placeholder height={`${height}px`} />
          ) : (
            <Stack gap={0} mih={height} ta="center" align="center" justify="center">
              {error === undefined ? <NothingRecorded /> : <Failure error={error} onRetry={retry} />}
            </Stack>
          )}
        </CurveFrame>
        <ExportButton />
      </>
    );
  }
  const save = (): void => {
    const rows = curveRows(filled, t('energy.curves.time'), timeZone);
    saveCsv(fileName(span.from, timeZone), rows, regionalTag(i18n.language));
  };
  return (
    <>
      {error !== undefined && <Text c="var(--hg-warning)">{t('energy.curves.part')}</Text>}
      <Curve
        series={filled}
        from={span.from}
        to={span.to}
        height={height}
        label={t('energy.curves.title')}
        timeZone={timeZone}
      />
      <ExportButton onClick={save} />
    </>
  );
}

function NothingRecorded() {
  const { t } = useTranslation('site');
  return (
    <>
      <Text fw={600}>{t('energy.curves.nothing')}</Text>
      <Text c="dimmed">{t('energy.curves.nothingHint')}</Text>
    </>
  );
}

/** @param onClick left out while there is nothing to export */
function ExportButton({ onClick }: { readonly onClick?: () => void }) {
  const { t } = useTranslation('site');
  return (
    <Group justify="flex-end">
      <Button variant="subtle" disabled={onClick === undefined} onClick={onClick}>
        {t('energy.curves.export')}
      </Button>
    </Group>
  );
}

function fileName(fromS: number, timeZone: string): string {
  return `heliograph-${formatDate(localDay(fromS * 1000, timeZone))}.csv`;
}
