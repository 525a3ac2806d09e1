#compdef latchkey
# Completion of latchkey for zsh: source <(latchkey completion zsh)

_latchkey() {
  local -a lines values shown
  local line program=${${(Q)words[1]}/#\~/$HOME}
  lines=("${(@f)$("$program" __complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
  for line in $lines; do
    if [[ $line == :file ]]; then
      compset -P '--[^=]##='
      _files
      continue
    fi
    values+=("${line%%$'\t'*}")
    shown+=("${line%%$'\t'*}${${line#*$'\t'}:+  -- ${line#*$'\t'}}")
  done
  (( $#values )) && compadd -l -d shown -a -- values
}

# Loaded by its name from a folder in $fpath, or sourced.
if [[ $funcstack[1] == _latchkey ]]; then
  _latchkey "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _latchkey latchkey
fi
