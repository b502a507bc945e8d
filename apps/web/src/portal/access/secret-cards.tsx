import { Button, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Card } from '../../shared/components/card/card.tsx';
import { Empty } from '../../shared/components/states/empty.tsx';
import { Announcement } from '../ui/announcement.tsx';
import { QueryResult } from '../ui/lists/query-result.tsx';

interface SecretCardsProps<One, Made> {
  readonly entries: UseQueryResult<readonly One[]>;
  readonly onChanged: () => void;
  readonly labels: {
    readonly title: string;
    readonly text: string;
    readonly start: string;
    readonly none: string;
    readonly noneText: string;
  };
  readonly form: (actions: {
    readonly onMade: (made: Made) => void;
    readonly onCancel: () => void;
  }) => ReactNode;
  /** A card with the secret, which is shown this once. */
  readonly secret: (made: Made) => ReactNode;
  /** The keyed card of an entry; `onSecret` takes one that has another secret. */
  readonly card: (
    one: One,
    actions: { readonly onChanged: () => void; readonly onSecret: (made: Made) => void },
  ) => ReactNode;
}

/** Entries that have a secret each: a form for another one, the secret of the newest, and a card for each. */
export function SecretCards<One, Made>({
  entries,
  onChanged,
  labels,
  form,
  secret,
  card,
}: SecretCardsProps<One, Made>) {
  const [isMaking, setMaking] = useState(false);
  const [shown, setShown] = useState<Made>();
  const showSecret = (made: Made): void => {
    setShown(made);
    setMaking(false);
    onChanged();
  };
  const startMaking = (): void => {
    setShown(undefined);
    setMaking(true);
  };
  return (
    <>
      <Card title={labels.title} action={!isMaking && <Button onClick={startMaking}>{labels.start}</Button>}>
        <Text>{labels.text}</Text>
        {isMaking && form({ onMade: showSecret, onCancel: () => setMaking(false) })}
      </Card>
      {shown !== undefined && <Announcement>{secret(shown)}</Announcement>}
      <QueryResult query={entries}>
        {(list) =>
          list.length === 0
            ? !isMaking && <Empty title={labels.none}>{labels.noneText}</Empty>
            : list.map((one) => card(one, { onChanged, onSecret: showSecret }))
        }
      </QueryResult>
    </>
  );
}
