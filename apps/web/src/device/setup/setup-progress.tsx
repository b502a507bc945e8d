import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import classes from './setup.module.css';
import { pathOf, STEPS, type Step } from './steps.ts';
import { useStepWords } from './use-step-words.ts';

/** The steps there are, and at which one somebody is. */
export function SetupProgress({ current }: { readonly current: Step }) {
  const { t } = useTranslation('configuration');
  const words = useStepWords();
  return (
    <nav aria-label={t('setup.steps')}>
      <ol className={classes.steps}>
        {STEPS.map((step, at) => (
          <li key={step}>
            <Link
              className={classes.step}
              href={pathOf(step)}
              aria-current={step === current ? 'step' : undefined}
            >
              <span className={classes.number} aria-hidden="true">
                {at + 1}
              </span>
              {words[step]}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
