import type { ConsentRequest } from '@heliograph/contracts';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { redirectTarget } from './redirect-target.ts';

/** Who asks, as far as it is known, and where the browser goes afterwards. */
export function Introduction({ request }: { readonly request: ConsentRequest }) {
  const { t } = useTranslation('consent');
  const { application, organization } = request;
  const place = redirectTarget(application.redirect_host);
  const whereTo = {
    computer: () => t('place.computer'),
    app: () => t('place.app', { scheme: application.redirect_host }),
    host: () => t('place.host', { host: application.redirect_host }),
  } as const;
  return (
    <Text style={{ overflowWrap: 'anywhere' }}>
      {organization !== null && t('who.application', { organization: organization.name })}
      {organization === null &&
        (application.published_at === null
          ? t('who.unknown')
          : t('who.published', { host: application.published_at }))}{' '}
      {whereTo[place.kind]()} {organization === null && t('who.careful')}
    </Text>
  );
}
