import type { MetricDefinition } from '@heliograph/client';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { BatteryCells } from './battery-cells.tsx';
import { MetricTable } from './metric-table.tsx';
import { bySubject } from './subjects.ts';
import classes from './unit-group.module.css';
import { useSubjectLabel } from './use-subject-label.ts';

interface UnitGroupProps {
  /** The beginning of its topics, such as `battery_2`. */
  readonly prefix: string;
  readonly title: string;
  readonly hasCells: boolean;
  readonly definitions: readonly MetricDefinition[];
  readonly historyPath: string;
  readonly isOpen: boolean;
  /** Whether a link led to it, which scrolls it into view and focuses it. */
  readonly isTarget: boolean;
  readonly onReached: () => void;
  readonly onToggle: () => void;
}

/** The metrics of one unit, a table a subject; while it is closed, there are no tables. */
export function UnitGroup({
  prefix,
  title,
  hasCells,
  definitions,
  historyPath,
  isOpen,
  isTarget,
  onReached,
  onToggle,
}: UnitGroupProps) {
  const { t } = useTranslation('metrics');
  const subjectLabel = useSubjectLabel();
  const content = useId();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isTarget) return;
    button.current?.scrollIntoView({ block: 'start' });
    button.current?.focus({ preventScroll: true });
    onReached();
  }, [isTarget, onReached]);
  return (
    <section className={classes.group} id={prefix} aria-label={title}>
      <h2 className={classes.heading}>
        <button
          ref={button}
          type="button"
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-controls={content}
          onClick={onToggle}
        >
          <span className={classes.title}>{title}</span>
          <span className={classes.count}>{t('count', { count: definitions.length })}</span>
        </button>
      </h2>
      <div id={content} className={classes.content} hidden={!isOpen}>
        {isOpen &&
          bySubject(definitions).map(({ subject, definitions: rows }) => (
            <div key={subject}>
              {hasCells && subject === 'cells' && <BatteryCells unit={title} definitions={rows} />}
              <MetricTable caption={subjectLabel(subject)} definitions={rows} historyPath={historyPath} />
            </div>
          ))}
      </div>
    </section>
  );
}
