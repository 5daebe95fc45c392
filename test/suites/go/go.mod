module platform

go 1.19
