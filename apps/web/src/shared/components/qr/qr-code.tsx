import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import classes from './qr.module.css';
import { pathOf } from './qr-path.ts';

interface QrCodeProps {
  readonly text: string;
  /** The content of the code, for screen readers. */
  readonly label: string;
}

/** A text for the cameras of phones. What draws it is loaded where one is shown. */
export function QrCode({ text, label }: QrCodeProps) {
  const { data: rows } = useQuery({
    queryKey: ['qr', text],
    queryFn: async () => {
      const { encode } = await import('uqr');
      return encode(text, { ecc: 'M', border: 2 }).data;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (rows === undefined) return <Skeleton className={classes.qr ?? ''} />;
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path d={pathOf(rows)} fill="#000000" />
    </svg>
  );
}
