/** Makes the copy buttons of a page work; without this script they stay hidden, and what they would copy can be selected. */
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copies]')) {
  const source = document.getElementById(button.dataset['copies'] ?? '');
  if (source === null) continue;
  button.hidden = false;
  button.addEventListener('click', () => void copy(source, button));
  button.addEventListener('blur', () => (button.textContent = 'Copy'));
}

async function copy(source: HTMLElement, button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = 'Copied';
  } catch {
    // Browsers keep the clipboard from pages of other machines without TLS; what is selected can be copied by hand.
    getSelection()?.selectAllChildren(source);
    button.textContent = 'Selected';
  }
}
