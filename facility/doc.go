// Package facility is a wall-clock timer service over any timer module.
package facility
