import type { MetricDefinition } from '@heliograph/client';
import { Fragment, memo } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../components/copy/copy-button.tsx';
import classes from './metric-table.module.css';
import { MetricValueText } from './metric-value.tsx';
import { type FormatValue, useFormatValue } from './use-format-value.ts';

interface MetricRowsProps {
  readonly definitions: readonly MetricDefinition[];
}

export function MetricRows({ definitions }: MetricRowsProps) {
  const shown = useFormatValue();
  return definitions.map((definition) => (
    <MetricRow key={definition.topic} definition={definition} shown={shown} />
  ));
}

interface MetricRowProps {
  readonly definition: MetricDefinition;
  readonly shown: FormatValue;
}

/** Rendered once: what a metric is does not change while a page is open. */
const MetricRow = memo(function MetricRow({ definition, shown }: MetricRowProps) {
  const { t } = useTranslation('site');
  const { topic, name } = definition;
  return (
    <tr>
      <th scope="row">
        <span className={classes.name}>{name}</span>
        <Topic topic={topic} />
      </th>
      <td className={classes.value}>
        <MetricValueText definition={definition} shown={shown} staleLabel={t('metrics.stale')} />
      </td>
      <td className={classes.copy}>
        <CopyButton isIcon text={topic} label={t('metrics.copyTopic', { topic })} />
      </td>
    </tr>
  );
});

/** Broken, where it has to be, at the ends of its words. */
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
