import classes from './tags.module.css';

interface TagsProps {
  readonly label: string;
  readonly tags: readonly string[];
}

/** Short properties of something. */
export function Tags({ label, tags }: TagsProps) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari forgets that a list without bullets is one
    <ul className={classes.tags} role="list" aria-label={label}>
      {tags.map((tag) => (
        <li key={tag} className={classes.tag}>
          {tag}
        </li>
      ))}
    </ul>
  );
}
