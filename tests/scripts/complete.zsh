# Prints the completions that zsh shows for a line: complete.zsh FOLDER_OF_FUNCTIONS LINE
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "unset zle_bracketed_paste; PS1=; fpath=(${(q)1} \$fpath); autoload -Uz compinit; compinit -u -D; print READ''Y"
zpty -r -m shell said '*READY*'
zpty -n -w shell "$2"$'\t'
sleep 2
while zpty -r -t shell said; do
    print -rn -- "$said"
done
zpty -d shell
