import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import classes from './setup.module.css';
import { pathOf, SETUP_STEPS, type SetupStep } from './steps.ts';
import { useStepLabels } from './use-step-words.ts';

/** The steps there are, and at which one somebody is. */
export function SetupProgress({ current }: { readonly current: SetupStep }) {
  const { t } = useTranslation('configuration');
  const words = useStepLabels();
  return (
    <nav aria-label={t('setup.steps')}>
      <ol className={classes.steps}>
        {SETUP_STEPS.map((step, at) => (
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
