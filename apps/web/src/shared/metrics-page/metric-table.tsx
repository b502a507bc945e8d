import type { MetricDefinition } from '@heliograph/client';
import { VisuallyHidden } from '@mantine/core';
import { Fragment, memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { CopyButton } from '../components/copy/copy-button.tsx';
import { useLive, useLiveValue } from '../live/live-context.tsx';
import { shownValue } from '../live/live-values.ts';
import { type MetricNames, useMetricNames } from '../metric-names/use-metric-names.ts';
import { type FormatValue, useFormatValue } from '../metrics/use-format-value.ts';
import classes from './metric-table.module.css';

interface MetricTableProps {
  readonly caption: string;
  readonly definitions: readonly MetricDefinition[];
  /** The page of curves, such as `/history`. */
  readonly historyPath: string;
}

/** Metrics and their values as they come; the name of one with a curve leads to it. */
export function MetricTable({ caption, definitions, historyPath }: MetricTableProps) {
  const { t } = useTranslation('metrics');
  const shown = useFormatValue();
  const names = useMetricNames();
  return (
    <table className={classes.table}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <Column label={t('column.name')} />
          <Column label={t('column.value')} />
          <Column label={t('column.copy')} />
        </tr>
      </thead>
      <tbody>
        {definitions.map((definition) => (
          <MetricRow
            key={definition.topic}
            definition={definition}
            shown={shown}
            names={names}
            historyPath={historyPath}
          />
        ))}
      </tbody>
    </table>
  );
}

interface MetricValueTextProps {
  readonly definition: MetricDefinition;
  /** Passed as a prop: looking up texts again takes longer than all else of a changing value. */
  readonly shown: FormatValue;
  readonly names: MetricNames;
  /** The mark of a value that is too old. */
  readonly staleLabel: string;
}

/** A metric's value as it comes; of a table with hundreds, nothing but this renders again. */
function MetricValueText({
  definition: { topic, unit, group },
  shown,
  names,
  staleLabel,
}: MetricValueTextProps) {
  const live = useLiveValue(topic);
  const value = shownValue(live) ?? null;
  const isState = typeof value === 'string' && group === 'Status' && unit === '';
  return (
    <span
      className={typeof value === 'string' ? classes.text : classes.number}
      data-unknown={value === null || undefined}
      translate="no"
      data-old={live?.stale || undefined}
    >
      {live?.stale === true && <span className={classes.stale}>{staleLabel}</span>}
      {isState ? names.stateOf(value) : shown(value, unit)}
    </span>
  );
}

interface MetricRowProps {
  readonly definition: MetricDefinition;
  readonly shown: FormatValue;
  readonly names: MetricNames;
  readonly historyPath: string;
}

/** Rendered once: what a metric is does not change while a page is open. */
const MetricRow = memo(function MetricRow({ definition, shown, names, historyPath }: MetricRowProps) {
  const { t } = useTranslation('metrics');
  const { values } = useLive();
  const { topic } = definition;
  const name = names.nameOf(definition);
  const hasCurve = typeof shownValue(values.get(topic)) !== 'string';
  return (
    <tr>
      <th scope="row">
        {hasCurve ? (
          <Link
            className={classes.name}
            href={`${historyPath}?topic=${encodeURIComponent(topic)}`}
            title={t('curveOf', { name })}
          >
            {name}
          </Link>
        ) : (
          <span className={classes.name}>{name}</span>
        )}
        <Topic topic={topic} />
      </th>
      <td className={classes.value}>
        <MetricValueText definition={definition} shown={shown} names={names} staleLabel={t('stale')} />
      </td>
      <td className={classes.copy}>
        <CopyButton isIcon text={topic} label={t('copyTopic', { topic })} />
      </td>
    </tr>
  );
});

/** Broken, where it has to be, at the ends of its label. */
function Topic({ topic }: { readonly topic: string }) {
  return (
    <code className={classes.topic}>
      {topic.split(/(?<=[/_])/).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a topic never change their places
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </code>
  );
}

/** For screen readers only: sighted readers see a name beside its value. */
function Column({ label }: { readonly label: string }) {
  return (
    <th scope="col">
      <VisuallyHidden>{label}</VisuallyHidden>
    </th>
  );
}
