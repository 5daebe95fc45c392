/**
 * The script of all pages for people. Without it, the pages can be read, but copy buttons and the search stay
 * hidden.
 */
import './search.ts';

/**
 * Shows the copy buttons of a page, and copies when one is pressed. Without this script, readers select the
 * text by hand.
 */
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copies]')) {
  const source = document.getElementById(button.dataset['copies'] ?? '');
  if (source === null) continue;
  button.hidden = false;
  button.addEventListener('click', () => void copy(source, button));
  button.addEventListener('blur', () => (button.textContent = 'Copy'));
}

async function copy(source: HTMLElement, button: HTMLButtonElement): Promise<void> {
  try {
    // A line break at the end would run a pasted command at once.
    await navigator.clipboard.writeText(source.textContent.trimEnd());
    button.textContent = 'Copied';
  } catch {
    // Browsers deny the clipboard to pages of other machines without TLS. The reader can copy the selection
    // by hand.
    getSelection()?.selectAllChildren(source);
    button.textContent = 'Selected';
  }
}
