# Completion of latchkey for fish: latchkey completion fish > ~/.config/fish/completions/latchkey.fish

function __latchkey_complete
    set -l words (commandline -opc)
    set -l current (string replace -r '^["\']' '' -- (commandline -ct))
    for line in ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = :file
            set -l option (string match -r '^--[^=]+=' -- "$current")
            set -l files (__fish_complete_path (string replace -r '^--[^=]+=' '' -- "$current"))
            test (count $files) -gt 0; and printf '%s\n' "$option"$files
        else
            printf '%s\n' $line
        end
    end
end

complete -c latchkey -f -a '(__latchkey_complete)'
