# Completion of latchkey for bash: source <(latchkey completion bash)

_latchkey() {
  local rest="$COMP_LINE" words=() word about i
  # Bash also splits words at characters such as = and @. What was typed as one word is put together again.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word="${COMP_WORDS[i]}"
    if [[ $i -eq 0 || "$rest" == [[:space:]]* ]]; then words+=("$word"); else words[${#words[@]} - 1]+="$word"; fi
    rest="${rest#"${rest%%[![:space:]]*}"}"
    rest="${rest#"$word"}"
  done
  local current="${words[${#words[@]} - 1]}" part="${COMP_WORDS[COMP_CWORD]}" quote=''
  case "$current" in \"* | \'*) quote="${current:0:1}" current="${current:1}" part="${part#[\"\']}" ;; esac
  [[ "$part" == [=:@]* ]] && part=''
  # What the shell has split off, and doesn't want to see again.
  local before="${current%"$part"}"
  # After an @, bash wants it back: it takes it for the beginning of a host name.
  before="${before%@}"
  [[ -z $quote ]] && current="${current//\\/}"
  words[${#words[@]} - 1]="$current"

  COMPREPLY=()
  while IFS=$'\t' read -r word about; do
    if [[ $word == :file ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$part")
      continue
    fi
    word="${word#"$before"}"
    # A name from the store is inserted as it is, never as something that the shell would run.
    case "$quote" in
      \') [[ $word == *\'* ]] && continue ;;
      \") [[ $word == *[\"!]* ]] && continue
        word="${word//\\/\\\\}" word="${word//\$/\\\$}" word="${word//\`/\\\`}" ;;
      *) word="$(printf '%q' "$word")" ;;
    esac
    COMPREPLY+=("$word")
  done < <("${words[0]/#\~/$HOME}" __complete "${words[@]:1}" 2>/dev/null)
}

complete -F _latchkey latchkey
