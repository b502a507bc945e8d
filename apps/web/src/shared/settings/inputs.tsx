import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { NumberRule } from './control-rule.ts';
import classes from './inputs.module.css';
import { nextNumber, parseNumber, typedNumber } from './numbers.ts';

interface ControlProps {
  readonly id: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly isDisabled: boolean;
  readonly isInvalid: boolean;
  /** Ids of the elements that describe it. */
  readonly describedBy: string;
}

interface NumberInputProps extends ControlProps {
  readonly name: string;
  /** In place of the number, until it has arrived. */
  readonly placeholder: string | undefined;
  readonly unit: string;
  readonly rule: NumberRule;
  /** The decimal separator of the reader's language. */
  readonly decimal: string;
}

/** Beyond its bounds the buttons lead back to them. */
const ANY_NUMBER = { min: -Infinity, max: Infinity, step: 0 };

/** A number within its bounds: typed, or by steps with the arrow keys or the buttons beside it. */
export function NumberInput({
  name,
  placeholder,
  unit,
  rule,
  decimal,
  text,
  onText,
  ...common
}: NumberInputProps) {
  const { t } = useTranslation('settings');
  const read = parseNumber(text, ANY_NUMBER, decimal);
  const value = typeof read === 'string' ? null : read.value;
  const move = (direction: 1 | -1): void => onText(typedNumber(nextNumber(value, direction, rule), decimal));
  const onKeyDown = (event: KeyboardEvent): void => {
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : undefined;
    if (direction === undefined) return;
    event.preventDefault();
    move(direction);
  };
  const button = (direction: 1 | -1, label: string, picture: string) => (
    <button
      type="button"
      className={classes.step}
      // The arrow keys of the input do the same.
      tabIndex={-1}
      aria-label={label}
      disabled={common.isDisabled || value === (direction === 1 ? rule.max : rule.min)}
      onClick={() => move(direction)}
    >
      <svg
        width={16}
        height={16}
        viewBox="0 0 16 16"
        stroke="currentColor"
        strokeWidth={2}
        aria-hidden="true"
      >
        <path d={picture} strokeLinecap="round" />
      </svg>
    </button>
  );
  return (
    <div className={classes.stepper}>
      {button(-1, t('decrease', { name }), 'M3 8h10')}
      <span className={classes.field}>
        <input
          className={classes.input}
          id={common.id}
          role="spinbutton"
          // The keyboards of phones for numbers have no minus.
          inputMode={rule.min < 0 ? 'text' : 'decimal'}
          autoComplete="off"
          placeholder={placeholder}
          value={text}
          disabled={common.isDisabled}
          aria-invalid={common.isInvalid || undefined}
          aria-describedby={common.describedBy}
          {...(value !== null && { 'aria-valuenow': value })}
          {...(Number.isFinite(rule.min) && { 'aria-valuemin': rule.min })}
          {...(Number.isFinite(rule.max) && { 'aria-valuemax': rule.max })}
          aria-valuetext={placeholder ?? (unit === '' ? text : `${text} ${unit}`)}
          onChange={(event) => onText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {unit !== '' && (
          <span className={classes.unit} aria-hidden="true">
            {unit}
          </span>
        )}
      </span>
      {button(1, t('increase', { name }), 'M3 8h10M8 3v10')}
    </div>
  );
}

interface SelectInputProps extends ControlProps {
  readonly options: readonly string[];
  /** The label of an option. */
  readonly optionOf: (option: string) => string;
  /** Shown while the value is none of the options. */
  readonly unknown: string;
}

/** One of the options that the device offers. */
export function SelectInput({ options, optionOf, unknown, text, onText, ...common }: SelectInputProps) {
  return (
    <span className={classes.field}>
      <select
        className={classes.input}
        id={common.id}
        value={text}
        disabled={common.isDisabled}
        aria-invalid={common.isInvalid || undefined}
        aria-describedby={common.describedBy}
        onChange={(event) => onText(event.currentTarget.value)}
      >
        {!options.includes(text) && (
          <option value={text} disabled>
            {text === '' ? unknown : optionOf(text)}
          </option>
        )}
        {options.map((option) => (
          <option key={option} value={option}>
            {optionOf(option)}
          </option>
        ))}
      </select>
      <svg className={classes.chevron} viewBox="0 0 16 16" aria-hidden="true">
        <path d="M4 6l4 4 4-4" />
      </svg>
    </span>
  );
}

interface TimeInputProps extends ControlProps {
  /** How far apart the times are that the device takes. */
  readonly stepMinutes: number;
}

/** A time of the day, in the browser's own picker. */
export function TimeInput({ stepMinutes, text, onText, ...common }: TimeInputProps) {
  return (
    <input
      className={classes.input}
      type="time"
      id={common.id}
      step={stepMinutes * 60}
      value={text}
      disabled={common.isDisabled}
      aria-invalid={common.isInvalid || undefined}
      aria-describedby={common.describedBy}
      onChange={(event) => onText(event.currentTarget.value)}
    />
  );
}
